# SPDX-License-Identifier: Apache-2.0
# What is installed, and the CMake package. The install target depends on nothing: the headers need no
# build, and warpint-info is installed where it has been built.

include(CMakePackageConfigHelpers)
set(warpint_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/warpint")

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
endif()

# A project that exports a library of its own needs the targets in export sets even where warpint itself is
# not installed with it. Then its package must find warpint's.
set(warpint_not_by_default "")
if(NOT WARPINT_INSTALL)
    set(warpint_not_by_default EXCLUDE_FROM_ALL)
endif()
set_target_properties(warpint_cuda PROPERTIES EXPORT_NAME cuda)
install(TARGETS warpint EXPORT warpint-targets)
install(TARGETS warpint_cuda EXPORT warpint-cuda-targets)
foreach(set IN ITEMS warpint-targets warpint-cuda-targets)
    install(EXPORT ${set} NAMESPACE warpint:: DESTINATION "${warpint_package_dir}"
            ${warpint_not_by_default})
    export(EXPORT ${set} NAMESPACE warpint:: FILE "${PROJECT_BINARY_DIR}/cmake/${set}.cmake")
endforeach()

# The build folder is a package too: warpint_DIR may name its folder cmake.
configure_package_config_file(
    cmake/warpint-config.cmake.in "${PROJECT_BINARY_DIR}/cmake/warpint-config.cmake"
    INSTALL_DESTINATION "${warpint_package_dir}")
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/cmake/warpint-config-version.cmake"
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
foreach(file IN ITEMS warpint-cuda.cmake warpint_mpi.cmake)
    configure_file(cmake/${file} "${PROJECT_BINARY_DIR}/cmake/${file}" COPYONLY)
endforeach()

if(NOT WARPINT_INSTALL)
    return()
endif()

install(FILES "${PROJECT_BINARY_DIR}/cmake/warpint-config.cmake"
              "${PROJECT_BINARY_DIR}/cmake/warpint-config-version.cmake" cmake/warpint-cuda.cmake cmake/warpint_mpi.cmake
        DESTINATION "${warpint_package_dir}")

# The headers, with gdb's printers beside the header that names them to gdb; those again under a name to
# `source` by hand.
set(warpint_printers include/warpint/limb/debugger.h-gdb.py)
install(DIRECTORY include/warpint DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.h-gdb.py")
install(FILES "${warpint_printers}" DESTINATION "${CMAKE_INSTALL_DATADIR}/warpint/gdb"
        RENAME warpint_gdb.py)

install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/warpint")

# For builds without CMake: pkg-config --cflags --libs warpint. The prefix is found from where the file
# lies, so that the tree can be moved.
set(warpint_pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
cmake_path(ABSOLUTE_PATH warpint_pkgconfig_dir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
           OUTPUT_VARIABLE warpint_pc_prefix)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${warpint_pc_prefix}"
           OUTPUT_VARIABLE warpint_pc_prefix)
configure_file(cmake/warpint.pc.in "${PROJECT_BINARY_DIR}/cmake/warpint.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cmake/warpint.pc" DESTINATION "${warpint_pkgconfig_dir}")
