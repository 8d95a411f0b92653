# SPDX-License-Identifier: Apache-2.0
# Compiles a fuzz target, with the address sanitizer, and runs it from the corpus.
#
#   cmake -DTARGET=<text|bytes|numbers|vectors|rsa> -DCOMPILER=<clang++> -DSOURCE_DIR=<warpint> -DWORK_DIR=<scratch>
#         [-DSECONDS=60] [-DOPTIONS=<more for the compiler or libFuzzer's sanitizers, in quotes>] [-DRUN=-seed=1] -P fuzz.cmake
#
# An input that fails stays in the work folder; <work folder>/<target> <input> runs it again.
cmake_minimum_required(VERSION 3.25)

if(NOT COMPILER)
    message("skipped: no clang++")
    return()
endif()
if(NOT SECONDS)
    set(SECONDS 60)
endif()
separate_arguments(OPTIONS)
separate_arguments(RUN)
file(MAKE_DIRECTORY "${WORK_DIR}/corpus")
file(WRITE "${WORK_DIR}/probe.cpp" "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }\n")
execute_process(COMMAND "${COMPILER}" -fsanitize=fuzzer,address "${WORK_DIR}/probe.cpp" -lgmp -o "${WORK_DIR}/probe"
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
    message("skipped: ${COMPILER} has no libFuzzer, or there is no GMP (Debian: clang libgmp-dev)")
    return()
endif()
# The sample's own sources but those that compute; the header that CMake writes for it has the longest key.
set(sources "")
set(length 200)
if("${TARGET}" STREQUAL "rsa")
    set(length 1000)
    foreach(source IN ITEMS rsa/cipher rsa/encoding rsa/key rsa/padding common/files common/progress common/temporary)
        list(APPEND sources "${SOURCE_DIR}/samples/${source}.cpp")
    endforeach()
    set(widths 1024)
    configure_file("${SOURCE_DIR}/samples/rsa/engine_widths.h.in" "${WORK_DIR}/engine_widths.h" @ONLY)
    list(APPEND sources "-I${WORK_DIR}" "-I${SOURCE_DIR}/samples/rsa" "-I${SOURCE_DIR}/samples/common" -pthread -lcrypto)
    execute_process(COMMAND "${COMPILER}" -x c++ -E -include openssl/evp.h /dev/null RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(NOT result EQUAL 0)
        message("skipped: no OpenSSL (Debian: libssl-dev)")
        return()
    endif()
endif()
execute_process(
    COMMAND "${COMPILER}" -std=c++20 -O1 -g1 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsanitize=fuzzer,address ${OPTIONS}
            "-I${SOURCE_DIR}/include" "-I${SOURCE_DIR}/tests" "${SOURCE_DIR}/tests/fuzz/${TARGET}.cpp"
            "${SOURCE_DIR}/tests/support/integer.cpp" ${sources} -lgmp -o "${WORK_DIR}/${TARGET}"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${TARGET} does not compile")
endif()
# What is found goes to the first folder.
execute_process(
    COMMAND "${WORK_DIR}/${TARGET}" -max_total_time=${SECONDS} -max_len=${length} -timeout=20 ${RUN} "-artifact_prefix=${WORK_DIR}/"
            "${WORK_DIR}/corpus" "${SOURCE_DIR}/tests/fuzz/corpus/${TARGET}"
    RESULT_VARIABLE result ERROR_VARIABLE output OUTPUT_VARIABLE output)
string(REGEX MATCH "#[0-9]+[ \t]+DONE[^\n]*" done "${output}")
if(NOT result EQUAL 0 OR NOT done)
    message(FATAL_ERROR "${output}")
endif()
message("${TARGET}: ${done}")
