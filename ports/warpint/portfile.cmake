# SPDX-License-Identifier: Apache-2.0
# The overlay port: installs the checkout that it lies in. vcpkg's binary cache looks at the files of the port
# alone; after a change of a header ask for `vcpkg install warpint --overlay-ports=ports --editable`.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
if(NOT EXISTS "${SOURCE_PATH}/include/warpint/warpint.h")
    message(FATAL_ERROR
        "This port installs the checkout of warpint that it lies in, and ${SOURCE_PATH} is none. Name the "
        "checkout's folder, --overlay-ports=<warpint>/ports, instead of copying the port, or "
        "use a registry: cmake/vcpkg_registry.cmake makes one.")
endif()

set(VCPKG_BUILD_TYPE release) # headers only

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DWARPINT_CUDA=OFF # only decides how warpint's own programs are compiled
        -DWARPINT_BUILD_TESTS=OFF
        -DWARPINT_BUILD_SAMPLES=OFF
        -DWARPINT_BUILD_PERF=OFF
        -DWARPINT_BUILD_TOOLS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/warpint)
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/lib")
file(RENAME "${CURRENT_PACKAGES_DIR}/share/pkgconfig" "${CURRENT_PACKAGES_DIR}/lib/pkgconfig")
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses")

set(usage usage)
if("cuda" IN_LIST FEATURES)
    set(usage usage-cuda)
endif()
file(INSTALL "${CURRENT_PORT_DIR}/${usage}" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME usage)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
