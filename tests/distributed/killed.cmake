# SPDX-License-Identifier: Apache-2.0
# A process that is killed, or exits, ends the whole job with a failure, and the next job runs. One that uses a group after
# MPI_Finalize gets exceptions.
#
#   cmake -DMPIEXEC=<mpiexec and its options> -DPROGRAM=<the test program> -P killed.cmake
cmake_minimum_required(VERSION 3.25)

function(run case result_variable)
    execute_process(COMMAND ${MPIEXEC} "${PROGRAM}" --no-skip "--test-case=${case}" TIMEOUT 60
                    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    message("${case}: ${result}")
    set(output "${output}" PARENT_SCOPE)
    set(${result_variable} "${result}" PARENT_SCOPE)
endfunction()

foreach(case IN ITEMS "a rank is killed" "a rank exits" "a rank exits in a task")
    run("${case}" result)
    if(result STREQUAL "0")
        message(SEND_ERROR "the job succeeded:\n${output}")
    elseif(result MATCHES "timeout")
        message(SEND_ERROR "the job did not end:\n${output}")
    endif()
    run("elements from one rank and from all" result)
    if(NOT result STREQUAL "0")
        message(SEND_ERROR "the next job failed:\n${output}")
    endif()
endforeach()
run("after MPI_Finalize" result)
if(NOT result STREQUAL "0" OR NOT output MATCHES "1 passed")
    message(SEND_ERROR "the job failed:\n${output}")
endif()
