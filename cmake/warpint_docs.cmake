# SPDX-License-Identifier: Apache-2.0
# The target warpint_docs: the guide and the reference as web pages, by Doxygen, in docs/html of the build folder.
# A warning is an error.

find_package(Doxygen 1.9 QUIET OPTIONAL_COMPONENTS dot)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT DOXYGEN_FOUND OR NOT TARGET Doxygen::dot OR NOT Python3_FOUND)
    message(FATAL_ERROR "WARPINT_BUILD_DOCS=${WARPINT_BUILD_DOCS} needs Doxygen 1.9, dot and Python 3 "
                        "(Debian: doxygen graphviz python3)")
endif()

set(warpint_docs_dir "${PROJECT_SOURCE_DIR}/src/docs")
set(warpint_docs_output "${PROJECT_BINARY_DIR}/docs")
set(warpint_docs_reference "${warpint_docs_output}/reference")
set(warpint_docs_python "${Python3_EXECUTABLE}")
# A sample's README is its page in the guide.
file(GLOB warpint_docs_samples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/samples/*/README.md")
list(TRANSFORM warpint_docs_samples PREPEND "\"")
list(TRANSFORM warpint_docs_samples APPEND "\"")
list(JOIN warpint_docs_samples " " warpint_docs_samples)
file(MAKE_DIRECTORY "${warpint_docs_output}")
configure_file("${warpint_docs_dir}/Doxyfile.in" "${warpint_docs_output}/Doxyfile" @ONLY)

add_custom_target(
    warpint_docs
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${warpint_docs_output}/html" "${warpint_docs_reference}" # of headers that are gone
    COMMAND "${Python3_EXECUTABLE}" "${warpint_docs_dir}/filter.py" --reference "${warpint_docs_reference}"
    COMMAND Doxygen::doxygen "${warpint_docs_output}/Doxyfile"
    COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${Python3_EXECUTABLE}" "${warpint_docs_dir}/pages.py"
            "${warpint_docs_output}/html" "${warpint_docs_dir}/guide/index.md" "${warpint_docs_output}/tags.xml"
    COMMAND "${CMAKE_COMMAND}" -E echo "${warpint_docs_output}/html/index.html"
    VERBATIM)
