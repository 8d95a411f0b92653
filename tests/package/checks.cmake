# SPDX-License-Identifier: Apache-2.0
# Single facts about the package, each of which once was not so.
#
#   cmake -DCHECK=<one below> -DSOURCE_DIR=<warpint> -DBUILD_DIR=<a configured build of it>
#         -DWORK_DIR=<scratch> -DVERSION=<version> -DGENERATOR=<generator> -DCXX_COMPILER=<c++>
#         -DCXX_ID=<GNU|Clang|...> -DCUDA_COMPILER=<nvcc or empty> -P checks.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)
set(ENV{CMAKE_PREFIX_PATH} "")

# Runs a command; its output goes to the variable `output` of the caller. It must succeed, or, with FAILS,
# must not.
function(run)
    cmake_parse_arguments(PARSE_ARGV 0 arg "FAILS" "" "COMMAND")
    execute_process(COMMAND ${arg_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE text
                    ERROR_VARIABLE text)
    if(arg_FAILS AND result EQUAL 0)
        list(JOIN arg_COMMAND " " command)
        message(FATAL_ERROR "this succeeded, but must not: ${command}\n${text}")
    elseif(NOT arg_FAILS AND NOT result EQUAL 0)
        list(JOIN arg_COMMAND " " command)
        message(FATAL_ERROR "${command}\n${text}")
    endif()
    set(output "${text}" PARENT_SCOPE)
endfunction()

# The output must match, line breaks and indents of CMake's messages apart.
function(expect regex)
    string(REGEX REPLACE "[ \n]+" " " text "${output}")
    if(NOT text MATCHES "${regex}")
        message(FATAL_ERROR "expected \"${regex}\" in:\n${output}")
    endif()
endfunction()

function(expect_files)
    foreach(file IN LISTS ARGN)
        if(NOT EXISTS "${file}")
            message(FATAL_ERROR "${file} is missing")
        endif()
    endforeach()
endfunction()

set(configure "${CMAKE_COMMAND}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
              -DCMAKE_BUILD_TYPE=Release)
set(warpint ${configure} -S "${SOURCE_DIR}" -B "${WORK_DIR}/build" -DWARPINT_CUDA=OFF)

# A project of so many lines, in WORK_DIR/user, configured with the installed package in sight.
function(configure_user result text)
    file(WRITE "${WORK_DIR}/user/CMakeLists.txt"
         "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n${text}\n")
    run(${ARGN} COMMAND ${configure} -S "${WORK_DIR}/user" -B "${WORK_DIR}/user/build"
        "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix")
    set(${result} "${output}" PARENT_SCOPE)
endfunction()

function(install_package)
    run(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix")
endfunction()

# Without the packages of the tests and samples there are none, and a line says so.
function(check_without_packages)
    set(without -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
    set(ENV{PKG_CONFIG_LIBDIR} "${WORK_DIR}") # no GMP
    set(ENV{PKG_CONFIG_PATH} "")
    run(COMMAND ${warpint} ${without})
    expect("tests left out, they need doctest .* and GMP")
    expect("every sample left out, it needs CLI11")
    run(FAILS COMMAND ${warpint} ${without} -DWARPINT_BUILD_TESTS=ON)
    expect("WARPINT_BUILD_TESTS=ON needs doctest .* and GMP")
    run(FAILS COMMAND ${warpint} ${without} -DWARPINT_BUILD_TESTS=OFF -DWARPINT_BUILD_SAMPLES=ON)
    expect("every sample needs CLI11")
    run(FAILS COMMAND ${warpint} -DWARPINT_BUILD_SAMPLES=OFF -DWARPINT_BUILD_PERF=ON
        -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON)
    expect("WARPINT_BUILD_PERF=ON needs Google Benchmark .Debian: libbenchmark-dev.")
    run(FAILS COMMAND ${warpint} -DWARPINT_BUILD_PERF=OFF -DWARPINT_BUILD_DOCS=ON
        -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON)
    expect("WARPINT_BUILD_DOCS=ON needs .* .Debian: doxygen graphviz python3.")
endfunction()

# The target install of a build with everything on compiles nothing, and installs what is promised.
function(check_install_target)
    run(COMMAND ${warpint} "-DCMAKE_INSTALL_PREFIX=${WORK_DIR}/prefix")
    run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target install)
    if(output MATCHES "Building|Linking")
        message(FATAL_ERROR "the target install compiled something:\n${output}")
    endif()
    expect_files(
        "${WORK_DIR}/prefix/include/warpint/version.h"
        "${WORK_DIR}/prefix/include/warpint/limb/debugger.h-gdb.py"
        "${WORK_DIR}/prefix/share/cmake/warpint/warpint-config.cmake"
        "${WORK_DIR}/prefix/share/licenses/warpint/LICENSE"
        "${WORK_DIR}/prefix/share/pkgconfig/warpint.pc"
        "${WORK_DIR}/prefix/share/warpint/gdb/warpint_gdb.py")
endfunction()

# Inside another project nothing of warpint is installed unless that asks for it; a library that links
# warpint can be exported all the same.
function(check_exported_library)
    set(cuda OFF)
    if(CUDA_COMPILER)
        set(cuda ON)
    endif()
    set(exporter ${configure} -S "${SOURCE_DIR}/tests/package/exporter" -B "${WORK_DIR}/build"
                 "-DWARPINT_SOURCE_DIR=${SOURCE_DIR}" "-DEXPORTER_CUDA=${cuda}"
                 "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DCMAKE_CUDA_ARCHITECTURES=90)
    run(COMMAND ${exporter})
    run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
    run(COMMAND "${CMAKE_COMMAND}" --install "${WORK_DIR}/build" --prefix "${WORK_DIR}/prefix")
    if(EXISTS "${WORK_DIR}/prefix/include")
        message(FATAL_ERROR "warpint was installed with another project that did not ask for it")
    endif()
    file(READ "${WORK_DIR}/prefix/share/cmake/exporter/exporter-targets.cmake" output)
    expect("INTERFACE_LINK_LIBRARIES \"warpint::warpint\"")
    if(cuda)
        expect("INTERFACE_LINK_LIBRARIES \"warpint::cuda\"")
    endif()

    run(COMMAND ${exporter} -DWARPINT_INSTALL=ON)
    run(COMMAND "${CMAKE_COMMAND}" --install "${WORK_DIR}/build" --prefix "${WORK_DIR}/prefix")
    expect_files("${WORK_DIR}/prefix/include/warpint/version.h"
                 "${WORK_DIR}/prefix/share/cmake/warpint/warpint-cuda-targets.cmake")
endfunction()

# find_package says what is wrong; versions of another minor number do not fit; the build folder is a
# package as well.
function(check_find_package)
    install_package()
    configure_user(output "find_package(warpint REQUIRED COMPONENTS nonsense)" FAILS)
    expect("no component nonsense: the components of warpint are cuda, mpi and nccl")
    configure_user(output "find_package(warpint REQUIRED OPTIONAL_COMPONENTS nonsense)")
    configure_user(
        output "set(CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit ON)\nfind_package(warpint REQUIRED COMPONENTS cuda)"
        FAILS)
    expect("component cuda needs a CUDA toolkit, version 12.0 or newer")
    configure_user(
        output "set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)\nfind_package(warpint REQUIRED COMPONENTS mpi)" FAILS)
    expect("component mpi needs MPI")
    configure_user(
        output
        "set(CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit ON)\nfind_package(warpint REQUIRED COMPONENTS nccl)" FAILS)
    expect("component nccl needs (MPI|a CUDA toolkit and NCCL)")
    configure_user(output "find_package(warpint 99.0 REQUIRED)" FAILS)
    configure_user(
        output
        "find_package(warpint ${VERSION} REQUIRED)\nadd_library(user INTERFACE)\ntarget_link_libraries(user INTERFACE warpint::warpint)")
    configure_user(output "find_package(warpint ${VERSION} REQUIRED PATHS \"${BUILD_DIR}/cmake\" NO_DEFAULT_PATH)")
endfunction()

# Builds without CMake.
function(check_pkg_config)
    find_program(PKG_CONFIG pkg-config)
    if(NOT PKG_CONFIG)
        message("skipped: pkg-config was not found")
        return()
    endif()
    install_package()
    # Somewhere else than it was installed to.
    file(RENAME "${WORK_DIR}/prefix" "${WORK_DIR}/moved")
    set(ENV{PKG_CONFIG_PATH} "${WORK_DIR}/moved/share/pkgconfig")
    run(COMMAND "${PKG_CONFIG}" --modversion warpint)
    expect("^${VERSION} ?$")
    execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs warpint OUTPUT_VARIABLE flags
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    file(WRITE "${WORK_DIR}/program.cpp"
         "#include <warpint/bigint.h>\nint main() { return warpint::BigInt<99>(7) % 7u == 0 ? 0 : 1; }\n")
    run(COMMAND "${CXX_COMPILER}" -std=c++20 "${WORK_DIR}/program.cpp" ${flags} -o
        "${WORK_DIR}/program")
    run(COMMAND "${WORK_DIR}/program")
    run(COMMAND "${PKG_CONFIG}" --variable=nvcc_13_0_options warpint)
    expect("^-Xcicc=--Xopt,-disable-ReuseLocalMemoryPass ?$")
    string(STRIP "${output}" option)
    if(CUDA_COMPILER) # takes the same flags
        run(COMMAND "${CUDA_COMPILER}" --dryrun -std=c++20 -x cu "${WORK_DIR}/program.cpp" ${flags} ${option})
    endif()
endfunction()

# CUDA files of warpint::cuda's users have the option that turns nvcc 13.0's faulty optimisation off, with no other
# version, and no other files; from an installed package and from the source tree.
function(check_nvcc_option)
    if(NOT CUDA_COMPILER)
        message("skipped: CUDA is off")
        return()
    endif()
    if(NOT GENERATOR MATCHES "Ninja|Makefiles")
        message("skipped: ${GENERATOR} lists no commands")
        return()
    endif()
    install_package()
    set(versions 12.0.140 12.9.86 13.0.48 13.0.88 13.1.115 14.0.1)
    set(file "${WORK_DIR}/user/file")
    file(WRITE "${file}.cu" "")
    file(WRITE "${file}.cpp" "")
    foreach(how IN ITEMS "find_package(warpint REQUIRED COMPONENTS cuda)" "add_subdirectory(\"${SOURCE_DIR}\" warpint)")
        set(text "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX CUDA)\n${how}\n")
        foreach(version IN LISTS versions)
            string(APPEND text "add_subdirectory(v${version})\n")
            file(WRITE "${WORK_DIR}/user/v${version}/CMakeLists.txt"
                 "set(CMAKE_CUDA_COMPILER_VERSION ${version})\nadd_library(v${version} OBJECT \"${file}.cu\" \"${file}.cpp\")\n"
                 "target_link_libraries(v${version} PRIVATE warpint::cuda)\n")
        endforeach()
        file(WRITE "${WORK_DIR}/user/CMakeLists.txt" "${text}")
        file(REMOVE_RECURSE "${WORK_DIR}/user/build")
        run(COMMAND ${configure} -S "${WORK_DIR}/user" -B "${WORK_DIR}/user/build" "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix"
            "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
        file(READ "${WORK_DIR}/user/build/compile_commands.json" commands)
        string(JSON count LENGTH "${commands}")
        math(EXPR last "${count} - 1")
        set(with "")
        foreach(index RANGE ${last})
            string(JSON command GET "${commands}" ${index} command)
            if(command MATCHES "-Xcicc=--Xopt,-disable-ReuseLocalMemoryPass" AND command MATCHES "/(v[0-9.]+)\\.dir/.*\\.(cu|cpp)\\.o")
                list(APPEND with "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
            endif()
        endforeach()
        if(NOT with STREQUAL "v13.0.48 cu;v13.0.88 cu")
            message(FATAL_ERROR "the option is in \"${with}\" after ${how}:\n${commands}")
        endif()
    endforeach()
endfunction()

# Every public header with an older language: one error, which says what to do.
function(check_older_language)
    if(NOT CXX_ID MATCHES "GNU|Clang")
        message("skipped: for GCC and Clang")
        return()
    endif()
    file(GLOB headers RELATIVE "${SOURCE_DIR}/include" "${SOURCE_DIR}/include/warpint/*.h")
    list(REMOVE_ITEM headers warpint/version.h warpint/gmp.h) # the first takes any, the second needs GMP
    foreach(header IN LISTS headers)
        file(WRITE "${WORK_DIR}/older.cpp" "#include <${header}>\n")
        run(FAILS COMMAND "${CXX_COMPILER}" -std=c++17 -fsyntax-only "-I${SOURCE_DIR}/include"
            "${WORK_DIR}/older.cpp")
        string(REGEX MATCHALL "error:" errors "${output}")
        if(NOT errors STREQUAL "error:" OR NOT output MATCHES "warpint needs C\\+\\+20")
            message(FATAL_ERROR "${header} in C++17 gives more than one error:\n${output}")
        endif()
    endforeach()
endfunction()

# Headers found with -I, in a user's program with every common warning on.
function(check_warnings)
    if(NOT CXX_ID MATCHES "GNU|Clang")
        message("skipped: for GCC and Clang")
        return()
    endif()
    set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
                 -Wdouble-promotion -Wcast-qual -Wcast-align -Wundef -Wswitch-enum
                 -Wnon-virtual-dtor -Woverloaded-virtual -Wredundant-decls)
    run(COMMAND "${CXX_COMPILER}" -std=c++20 -fsyntax-only -Werror ${warnings}
        "-I${SOURCE_DIR}/include" "${SOURCE_DIR}/tests/package/main.cpp")
endfunction()

# One version everywhere.
function(check_versions)
    file(READ "${SOURCE_DIR}/ports/warpint/vcpkg.json" manifest)
    string(JSON version GET "${manifest}" version-semver)
    if(NOT version STREQUAL VERSION)
        message(SEND_ERROR "ports/warpint/vcpkg.json is of version ${version}, not ${VERSION}")
    endif()
    file(STRINGS "${SOURCE_DIR}/CHANGELOG.md" headings REGEX "^## ")
    list(FILTER headings EXCLUDE REGEX "Unreleased")
    list(GET headings 0 latest)
    if(NOT latest MATCHES "^## ${VERSION}( |$)")
        message(SEND_ERROR "CHANGELOG.md's latest version is \"${latest}\", not ${VERSION}")
    endif()
endfunction()

# Runs the port of a folder without vcpkg; more options of vcpkg_functions.cmake may follow.
function(run_port port_dir name features)
    run(${ARGN} COMMAND "${CMAKE_COMMAND}" "-DPORT_DIR=${port_dir}" "-DFEATURES=${features}"
        "-DARCHIVE=${WORK_DIR}/archive.tar.gz" "-DARCHIVE_SOURCE=${SOURCE_DIR}" "-DWORK_DIR=${WORK_DIR}/${name}"
        "-DGENERATOR=${GENERATOR}" "-DCXX_COMPILER=${CXX_COMPILER}"
        -P "${SOURCE_DIR}/tests/package/vcpkg_functions.cmake")
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The files of the port, where vcpkg is not: what it installs and says, with and without its feature, as an overlay
# and as the port of a registry; and a copy of it that lies in another project.
function(check_port)
    file(WRITE "${WORK_DIR}/archive.tar.gz" "the archive of a tag")
    run(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${WORK_DIR}/archive.tar.gz" "-DOUTPUT=${WORK_DIR}/registry"
        -P "${SOURCE_DIR}/cmake/vcpkg_registry.cmake")
    run_port("${SOURCE_DIR}/ports/warpint" plain "core")
    run_port("${SOURCE_DIR}/ports/warpint" cuda "core;cuda")
    run_port("${WORK_DIR}/registry/ports/warpint" tag "core")
    foreach(name IN ITEMS plain cuda tag)
        set(package "${WORK_DIR}/${name}/package")
        expect_files("${package}/include/warpint/warpint.h" "${package}/share/warpint/warpint-config.cmake"
                     "${package}/share/warpint/copyright" "${package}/lib/pkgconfig/warpint.pc")
        file(GLOB entries RELATIVE "${package}" "${package}/*" "${package}/share/*" "${package}/lib/*")
        if(NOT entries STREQUAL "include;lib;lib/pkgconfig;share;share/warpint")
            message(FATAL_ERROR "the port installs ${entries}")
        endif()
        file(READ "${package}/share/warpint/usage" output)
        if(name STREQUAL "cuda")
            expect("COMPONENTS cuda.*warpint::warpint.*warpint::cuda")
        else()
            expect("find_package.warpint CONFIG REQUIRED. .*warpint::warpint")
        endif()
    endforeach()

    file(COPY "${SOURCE_DIR}/ports/warpint" DESTINATION "${WORK_DIR}/copied/ports")
    run_port("${WORK_DIR}/copied/ports/warpint" copied "core" FAILS)
    expect("installs the checkout of warpint that it lies in")
    run_port("${SOURCE_DIR}/ports/warpint" nonsense "core;nonsense" FAILS)
endfunction()

# A manifest project with warpint from vcpkg, its tool and its own files of ports being those of VCPKG_ROOT:
# from the overlay port, and from a registry whose source is an archive that needs no network.
function(check_vcpkg)
    find_program(VCPKG vcpkg HINTS ENV VCPKG_ROOT)
    find_program(GIT git)
    if(NOT VCPKG OR "$ENV{VCPKG_ROOT}" STREQUAL "" OR NOT GIT)
        message("skipped: needs vcpkg, git, and VCPKG_ROOT in the environment")
        return()
    endif()
    set(ENV{VCPKG_FORCE_SYSTEM_BINARIES} 1)
    set(ENV{VCPKG_DISABLE_METRICS} 1)
    set(ENV{VCPKG_BINARY_SOURCES} clear)
    set(ENV{VCPKG_DOWNLOADS} "${WORK_DIR}/downloads")
    file(MAKE_DIRECTORY "${WORK_DIR}/downloads")
    set(tool "${VCPKG}" "--vcpkg-root=$ENV{VCPKG_ROOT}" "--x-buildtrees-root=${WORK_DIR}/buildtrees"
             "--x-packages-root=${WORK_DIR}/packages")

    # The overlay port, whose files belong to one package: the classic mode.
    run(COMMAND ${tool} install warpint "--overlay-ports=${SOURCE_DIR}/ports"
        "--x-install-root=${WORK_DIR}/classic")
    expect("warpint::warpint")
    if(output MATCHES "post-build check problem|: warning:")
        message(FATAL_ERROR "vcpkg complains about the port:\n${output}")
    endif()
    file(GLOB prefix "${WORK_DIR}/classic/*/share/warpint")
    expect_files("${prefix}/copyright" "${prefix}/usage" "${prefix}/warpint-config.cmake")

    # A copy of it in another project says what is wrong.
    file(COPY "${SOURCE_DIR}/ports/warpint" DESTINATION "${WORK_DIR}/copied/ports")
    run(FAILS COMMAND ${tool} install warpint "--overlay-ports=${WORK_DIR}/copied/ports"
        "--x-install-root=${WORK_DIR}/copied/installed")
    expect("installs the checkout of warpint that it lies in")

    # A registry of this tree, and a manifest project that takes warpint from it.
    file(GLOB entries "${SOURCE_DIR}/*")
    list(FILTER entries EXCLUDE REGEX "/build[^/]*$")
    file(COPY ${entries} DESTINATION "${WORK_DIR}/warpint-${VERSION}")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "downloads/warpint-warpint-v${VERSION}.tar.gz"
                            "warpint-${VERSION}" WORKING_DIRECTORY "${WORK_DIR}" COMMAND_ERROR_IS_FATAL ANY)
    run(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${WORK_DIR}/downloads/warpint-warpint-v${VERSION}.tar.gz"
        "-DOUTPUT=${WORK_DIR}/registry" -P "${SOURCE_DIR}/cmake/vcpkg_registry.cmake")
    file(WRITE "${WORK_DIR}/user/vcpkg.json" "{\"dependencies\": [\"warpint\"]}\n")
    file(WRITE "${WORK_DIR}/user/vcpkg-configuration.json"
         "{\"default-registry\": null, \"overlay-ports\": [\"$ENV{VCPKG_ROOT}/ports/vcpkg-cmake\", "
         "\"$ENV{VCPKG_ROOT}/ports/vcpkg-cmake-config\"],\n"
         "\"registries\": [{\"kind\": \"filesystem\", \"path\": \"${WORK_DIR}/registry\", \"packages\": [\"warpint\"]}]}\n")
    file(WRITE "${WORK_DIR}/user/main.cpp"
         "#include <warpint/bigint.h>\nint main() { return warpint::BigInt<99>(7) % 7u == 0 ? 0 : 1; }\n")
    file(WRITE "${WORK_DIR}/user/CMakeLists.txt"
         "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n"
         "find_package(warpint CONFIG REQUIRED)\nadd_executable(user main.cpp)\n"
         "target_link_libraries(user PRIVATE warpint::warpint)\n")
    run(COMMAND ${configure} -S "${WORK_DIR}/user" -B "${WORK_DIR}/user/build"
        "-DCMAKE_TOOLCHAIN_FILE=$ENV{VCPKG_ROOT}/scripts/buildsystems/vcpkg.cmake"
        "-DVCPKG_INSTALL_OPTIONS=--x-buildtrees-root=${WORK_DIR}/buildtrees;--x-packages-root=${WORK_DIR}/packages")
    run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/user/build")
    run(COMMAND "${WORK_DIR}/user/build/user")
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
cmake_language(CALL "check_${CHECK}")
