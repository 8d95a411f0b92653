# SPDX-License-Identifier: Apache-2.0
# Makes a vcpkg registry that offers warpint: the port fetches the source of a tag, with its checksum.
#
#   cmake -DARCHIVE=<v0.2.0.tar.gz as the forge serves it> -DOUTPUT=<folder> -P vcpkg_registry.cmake
#
# OUTPUT is a registry of the kind "filesystem" as it is. Put into a git repository it is one of the kind "git":
# commit it, write `git rev-parse HEAD:ports/warpint` into versions/w-/warpint.json in place of the path (key
# "git-tree"), and commit again. ports/warpint of it is also what a pull request to vcpkg's own registry holds.
cmake_minimum_required(VERSION 3.25)

cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")
file(READ "${root}/ports/warpint/vcpkg.json" manifest)
string(JSON version GET "${manifest}" version-semver)
file(SHA512 "${ARCHIVE}" checksum)

# The overlay port from its options on; another source before them.
file(READ "${root}/ports/warpint/portfile.cmake" portfile)
string(FIND "${portfile}" "set(VCPKG_BUILD_TYPE release)" options)
if(options EQUAL -1)
    message(FATAL_ERROR "ports/warpint/portfile.cmake has changed its shape")
endif()
string(SUBSTRING "${portfile}" ${options} -1 portfile)
string(PREPEND portfile "vcpkg_from_github(
    OUT_SOURCE_PATH SOURCE_PATH
    REPO warpint/warpint
    REF \"v\${VERSION}\"
    SHA512 ${checksum}
    HEAD_REF main
)

")

file(REMOVE_RECURSE "${OUTPUT}/ports/warpint")
file(COPY "${root}/ports/warpint" DESTINATION "${OUTPUT}/ports")
file(WRITE "${OUTPUT}/ports/warpint/portfile.cmake" "${portfile}")
file(WRITE "${OUTPUT}/versions/baseline.json"
     "{\n  \"default\": {\n    \"warpint\": {\n      \"baseline\": \"${version}\",\n      \"port-version\": 0\n    }\n  }\n}\n")
file(WRITE "${OUTPUT}/versions/w-/warpint.json"
     "{\n  \"versions\": [\n    {\n      \"version-semver\": \"${version}\",\n      \"port-version\": 0,\n      \"path\": \"$/ports/warpint\"\n    }\n  ]\n}\n")
