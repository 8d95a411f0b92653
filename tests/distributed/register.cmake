# SPDX-License-Identifier: Apache-2.0
# Distributed vectors: one program on 1 to 4 processes, with two transports, with several devices on a process, and one of
# whose processes is killed.

if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
set(distributed_tests guide_mpi distributed_gpus distributed_nccl distributed_killed distributed_devices_3
                      distributed_devices_direct_2)
foreach(count RANGE 1 4)
    list(APPEND distributed_tests distributed_${count} distributed_direct_${count})
endforeach()
if(NOT TARGET warpint::mpi OR NOT MPIEXEC_EXECUTABLE)
    foreach(test IN LISTS distributed_tests)
        add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: no MPI (Debian: libopenmpi-dev openmpi-bin)")
        set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
    endforeach()
    return()
endif()

add_executable(
    warpint_test_distributed distributed/devices_test.cpp distributed/direct_test.cpp distributed/errors_test.cpp distributed/formulas_test.cpp
    distributed/order_test.cpp distributed/vector_test.cpp)
target_link_libraries(
    warpint_test_distributed PRIVATE warpint_test_main warpint_test_support warpint_test_debug warpint::mpi)
target_compile_definitions(warpint_test_distributed PRIVATE WARPINT_MPI_MESSAGE_BYTES=100) # every way of messages
set(environment "${CMAKE_COMMAND}" -E env)
set(direct WARPINT_TEST_TRANSPORT=direct) # with the transport of direct_transport.h
set(devices WARPINT_TEST_DEVICES=1)       # with the groups of ranks.h that have several devices on a rank
set(program $<TARGET_FILE:warpint_test_distributed> ${MPIEXEC_POSTFLAGS})
foreach(count RANGE 1 4)
    set(run_${count} "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${count} ${MPIEXEC_PREFLAGS})
    warpint_register_test(distributed_${count} ${run_${count}} ${program})
    warpint_register_test(distributed_direct_${count} ${run_${count}} ${environment} ${direct} ${program})
endforeach()
warpint_register_test(distributed_devices_3 ${run_3} ${environment} ${devices} ${program})
warpint_register_test(distributed_devices_direct_2 ${run_2} ${environment} ${devices} ${direct} ${program})
# Between GPUs: device pointers and, where it is found, NCCL.
if(NOT WARPINT_CUDA_ENABLED)
    add_test(NAME distributed_gpus COMMAND "${CMAKE_COMMAND}" -E echo "skipped: no CUDA")
    set_tests_properties(distributed_gpus PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
else()
    add_library(warpint_test_gpus_settings INTERFACE)
    target_link_libraries(
        warpint_test_gpus_settings
        INTERFACE warpint_test_settings warpint_test_release warpint::cuda $<IF:$<TARGET_EXISTS:warpint::nccl>,warpint::nccl,warpint::mpi>)
    warpint_device_sources(gpus_source distributed/gpus_test.cpp)
    if(WARPINT_CHECK_DEVICE_CODE)
        add_library(warpint_test_gpus_model OBJECT "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp")
        target_link_libraries(warpint_test_gpus_model PRIVATE warpint_test_gpus_settings)
        warpint_check_device_code(warpint_check_gpus_cuda warpint_test_gpus_model ${gpus_source})
        warpint_register_checked_test(distributed_gpus)
    else()
        add_executable(warpint_test_gpus ${gpus_source})
        target_link_libraries(warpint_test_gpus PRIVATE warpint_test_gpus_settings CUDA::cudart_static)
        warpint_register_test(distributed_gpus "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 2 ${MPIEXEC_PREFLAGS}
                              $<TARGET_FILE:warpint_test_gpus> ${MPIEXEC_POSTFLAGS})
    endif()
endif()
# Several GPUs on a rank, where the host emulates them.
if(WARPINT_CHECK_DEVICE_CODE)
    list(APPEND distributed_tests distributed_emulated)
    warpint_device_sources(devices_source distributed/devices_test.cpp)
    warpint_emulated_program(warpint_test_distributed_emulated release warpint_test_main_emulated warpint::mpi SOURCES ${devices_source})
    warpint_register_test(distributed_emulated ${run_2} ${environment} WARPINT_EMULATED_GPUS=2
                          $<TARGET_FILE:warpint_test_distributed_emulated> --require-gpu ${MPIEXEC_POSTFLAGS})
endif()
# What is asked of NCCL: with stand-ins for it, which need no GPU, in place of the shared libraries' functions.
if(NOT WARPINT_CUDA_ENABLED OR NOT TARGET warpint::nccl)
    add_test(NAME distributed_nccl COMMAND "${CMAKE_COMMAND}" -E echo "skipped: no CUDA, or no NCCL")
    set_tests_properties(distributed_nccl PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
else()
    warpint_device_sources(nccl_source distributed/nccl_test.cpp)
    add_executable(warpint_test_nccl ${nccl_source} distributed/nccl_stand_in.cpp)
    set_target_properties(warpint_test_nccl PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
    target_link_libraries(warpint_test_nccl PRIVATE warpint_test_main warpint_test_settings warpint_test_debug
                                                    warpint::nccl warpint::cuda)
    warpint_register_test(distributed_nccl "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS}
                          $<TARGET_FILE:warpint_test_nccl> ${MPIEXEC_POSTFLAGS})
endif()
add_test(NAME distributed_killed
         COMMAND "${CMAKE_COMMAND}" "-DMPIEXEC=${MPIEXEC_EXECUTABLE};${MPIEXEC_NUMPROC_FLAG};3;${MPIEXEC_PREFLAGS}"
                 "-DPROGRAM=$<TARGET_FILE:warpint_test_distributed>" -P "${CMAKE_CURRENT_LIST_DIR}/killed.cmake")

# The program of the guide.
set(guide_page "${PROJECT_SOURCE_DIR}/src/docs/guide/mpi.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${guide_page}")
file(READ "${guide_page}" guide_text)
string(REGEX MATCHALL "\n```cpp\n" guide_programs "${guide_text}")
if(NOT guide_programs STREQUAL "\n```cpp\n" OR NOT guide_text MATCHES "\n```cpp\n([^`]*int main[^`]*)```")
    message(FATAL_ERROR "${guide_page} should have one program, and no other C++")
endif()
set(guide_source "${CMAKE_CURRENT_BINARY_DIR}/guide_mpi.cpp")
file(WRITE "${guide_source}.new" "${CMAKE_MATCH_1}")
file(COPY_FILE "${guide_source}.new" "${guide_source}" ONLY_IF_DIFFERENT)
add_executable(warpint_guide_mpi "${guide_source}")
target_link_libraries(warpint_guide_mpi PRIVATE warpint_test_settings warpint_test_release warpint::mpi)
warpint_register_test(guide_mpi "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 2 ${MPIEXEC_PREFLAGS}
                      $<TARGET_FILE:warpint_guide_mpi> ${MPIEXEC_POSTFLAGS})
# pi(10^5) = 9592.
set_tests_properties(guide_mpi PROPERTIES PASS_REGULAR_EXPRESSION "\n9592 primes\n")

# As root, as in containers, and on fewer cores than processes, who then wait without keeping them (Open MPI).
set_tests_properties(
    ${distributed_tests} PROPERTIES
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;OMPI_MCA_mpi_yield_when_idle=1"
    PROCESSORS 2)
