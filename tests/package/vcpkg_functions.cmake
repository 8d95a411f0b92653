# SPDX-License-Identifier: Apache-2.0
# Runs a portfile where vcpkg is not: with functions of vcpkg's names that do, as far as a port can see, what
# vcpkg's documentation says of them. checks.cmake runs this file as a script:
#
#   cmake -DPORT_DIR=<ports/warpint> -DFEATURES=<core;...> -DARCHIVE=<for vcpkg_from_github>
#         -DARCHIVE_SOURCE=<what is in it> -DWORK_DIR=<scratch> -DGENERATOR=<generator>
#         -DCXX_COMPILER=<c++> -P vcpkg_functions.cmake
cmake_minimum_required(VERSION 3.25)

set(PORT warpint)
set(CURRENT_PORT_DIR "${PORT_DIR}")
set(CURRENT_PACKAGES_DIR "${WORK_DIR}/package")
set(CURRENT_BUILDTREES_DIR "${WORK_DIR}/buildtree")
file(READ "${PORT_DIR}/vcpkg.json" manifest)
string(JSON VERSION GET "${manifest}" version-semver)
foreach(feature IN LISTS FEATURES)
    if(NOT feature STREQUAL "core")
        string(JSON ignored GET "${manifest}" features ${feature} description) # an error where there is none
    endif()
endforeach()

# A misspelt keyword of a call is an error, as in vcpkg.
macro(parse_arguments one many)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one}" "${many}")
    if(DEFINED arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION} does not know ${arg_UNPARSED_ARGUMENTS}")
    endif()
endmacro()

function(vcpkg_from_github)
    parse_arguments("OUT_SOURCE_PATH;REPO;REF;SHA512;HEAD_REF" "")
    file(SHA512 "${ARCHIVE}" checksum)
    if(NOT arg_SHA512 STREQUAL checksum OR NOT arg_REF STREQUAL "v${VERSION}" OR NOT arg_REPO MATCHES "^[^/]+/[^/]+$")
        message(FATAL_ERROR "the archive of ${arg_REPO} at ${arg_REF} is another one")
    endif()
    set(${arg_OUT_SOURCE_PATH} "${ARCHIVE_SOURCE}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    parse_arguments("SOURCE_PATH" "OPTIONS")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${arg_SOURCE_PATH}" -B "${CURRENT_BUILDTREES_DIR}"
                "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
                -DCMAKE_BUILD_TYPE=Release ${arg_OPTIONS}
        OUTPUT_VARIABLE text ERROR_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    if(text MATCHES "were not used by the project")
        message(FATAL_ERROR "${text}")
    endif()
endfunction()

function(vcpkg_cmake_install)
    parse_arguments("" "")
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${CURRENT_BUILDTREES_DIR}" --target install
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# vcpkg also mends the paths in the files.
function(vcpkg_cmake_config_fixup)
    parse_arguments("CONFIG_PATH" "")
    file(GLOB files "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*.cmake")
    file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share/${PORT}")
    file(COPY ${files} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}")
    cmake_path(GET arg_CONFIG_PATH PARENT_PATH parent)
    file(GLOB left "${CURRENT_PACKAGES_DIR}/${parent}/*")
    if(NOT left)
        file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${parent}")
    endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
    parse_arguments("" "")
    file(GLOB files "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc")
    if(NOT files)
        message(FATAL_ERROR "there is no file of pkg-config")
    endif()
endfunction()

function(vcpkg_install_copyright)
    parse_arguments("" "FILE_LIST")
    configure_file("${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" COPYONLY)
endfunction()

include("${PORT_DIR}/portfile.cmake")
