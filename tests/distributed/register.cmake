# SPDX-License-Identifier: Apache-2.0
# Distributed vectors: one program on 1 to 4 processes, with two transports, with several devices on a process, and one of
# whose processes is killed.

if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
set(distributed_tests guide_mpi distributed_gpus distributed_nccl)
foreach(name IN ITEMS 1 2 3 4 direct_1 direct_2 direct_3 direct_4 devices_3 devices_direct_2 killed)
    list(APPEND distributed_tests distributed_${name})
endforeach()
set(mpich_tests "")
# MPICH's processes keep their cores while they wait: 3 and 4 of them take five minutes on two cores.
set(mpich_counts 1 2)
if(WARPINT_TEST_SET STREQUAL "long")
    list(APPEND mpich_counts 3 4)
endif()
foreach(name IN LISTS mpich_counts ITEMS direct_2 devices_direct_2 killed)
    list(APPEND mpich_tests distributed_mpich_${name})
endforeach()
list(APPEND distributed_tests ${mpich_tests})
if(NOT TARGET warpint::mpi OR NOT MPIEXEC_EXECUTABLE)
    foreach(test IN LISTS distributed_tests)
        warpint_register_skipped_test(${test} "no MPI (Debian: libopenmpi-dev openmpi-bin)")
    endforeach()
    return()
endif()

# warpint_add_distributed_tests(<name> <mpi> <mpiexec> SOURCES <file>... COUNTS <count>... DIRECT <count>...): the program
# warpint_test_<name>, linked to the target <mpi>; its runs on so many processes, and with the direct transport; and one
# whose process is killed.
set(environment "${CMAKE_COMMAND}" -E env)
set(distributed_sources
    distributed/devices_test.cpp distributed/errors_test.cpp distributed/formulas_test.cpp distributed/order_test.cpp
    distributed/vector_test.cpp)
function(warpint_add_distributed_tests name mpi mpiexec)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SOURCES;COUNTS;DIRECT")
    add_executable(warpint_test_${name} ${arg_SOURCES} distributed/direct_test.cpp)
    target_link_libraries(warpint_test_${name} PRIVATE warpint_test_main warpint_test_support warpint_test_debug ${mpi})
    target_compile_definitions(warpint_test_${name} PRIVATE WARPINT_MPI_MESSAGE_BYTES=100) # every way of messages
    set(direct WARPINT_TEST_TRANSPORT=direct) # with the transport of direct_transport.h
    set(devices WARPINT_TEST_DEVICES=1)       # with the groups of ranks.h that have several devices on a rank
    set(program $<TARGET_FILE:warpint_test_${name}> ${MPIEXEC_POSTFLAGS})
    foreach(count RANGE 1 4)
        set(run_${count} "${mpiexec}" ${MPIEXEC_NUMPROC_FLAG} ${count} ${MPIEXEC_PREFLAGS})
    endforeach()
    foreach(count IN LISTS arg_COUNTS)
        warpint_register_test(${name}_${count} ${run_${count}} ${program})
    endforeach()
    foreach(count IN LISTS arg_DIRECT)
        warpint_register_test(${name}_direct_${count} ${run_${count}} ${environment} ${direct} ${program})
    endforeach()
    warpint_register_test(${name}_devices_direct_2 ${run_2} ${environment} ${devices} ${direct} ${program})
    add_test(NAME ${name}_killed
             COMMAND "${CMAKE_COMMAND}" "-DMPIEXEC=${mpiexec};${MPIEXEC_NUMPROC_FLAG};3;${MPIEXEC_PREFLAGS}"
                     "-DPROGRAM=$<TARGET_FILE:warpint_test_${name}>" -P "${CMAKE_CURRENT_SOURCE_DIR}/distributed/killed.cmake")
endfunction()
warpint_add_distributed_tests(distributed warpint::mpi "${MPIEXEC_EXECUTABLE}"
                              SOURCES ${distributed_sources} COUNTS 1 2 3 4 DIRECT 1 2 3 4)
warpint_register_test(distributed_devices_3 "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS}
                      ${environment} WARPINT_TEST_DEVICES=1 $<TARGET_FILE:warpint_test_distributed> ${MPIEXEC_POSTFLAGS})

# The same with MPICH, where it stands beside another MPI (Debian: libmpich-dev mpich); without the formulas, which are the
# same text over the same messages, but in the long set.
find_program(WARPINT_MPICH_EXEC mpiexec.mpich)
find_path(WARPINT_MPICH_INCLUDE_DIR mpi.h PATHS "/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich" NO_DEFAULT_PATH)
find_library(WARPINT_MPICH_LIBRARY mpich)
mark_as_advanced(WARPINT_MPICH_EXEC WARPINT_MPICH_INCLUDE_DIR WARPINT_MPICH_LIBRARY)
if(WARPINT_MPICH_EXEC AND WARPINT_MPICH_INCLUDE_DIR AND WARPINT_MPICH_LIBRARY AND NOT MPI_CXX_LIBRARIES MATCHES "mpich")
    add_library(warpint_test_mpich INTERFACE)
    target_link_libraries(warpint_test_mpich INTERFACE warpint::warpint "${WARPINT_MPICH_LIBRARY}")
    target_include_directories(warpint_test_mpich SYSTEM INTERFACE "${WARPINT_MPICH_INCLUDE_DIR}")
    target_compile_definitions(warpint_test_mpich INTERFACE MPICH_SKIP_MPICXX)
    set(mpich_sources ${distributed_sources})
    if(NOT WARPINT_TEST_SET STREQUAL "long")
        list(FILTER mpich_sources EXCLUDE REGEX "formulas|order")
    endif()
    warpint_add_distributed_tests(distributed_mpich warpint_test_mpich "${WARPINT_MPICH_EXEC}" SOURCES ${mpich_sources} COUNTS ${mpich_counts} DIRECT 2)
else()
    foreach(test IN LISTS mpich_tests)
        warpint_register_skipped_test(${test} "no MPICH beside another MPI (Debian: libmpich-dev mpich)")
    endforeach()
endif()

# Between GPUs: device pointers and, where it is found, NCCL.
if(NOT WARPINT_CUDA_ENABLED)
    warpint_register_skipped_test(distributed_gpus "no CUDA")
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
        # All else of distributed vectors, with pieces on GPUs; processes may share one.
        warpint_device_sources(pieces_sources ${distributed_sources})
        add_executable(warpint_test_distributed_cuda ${pieces_sources})
        target_link_libraries(warpint_test_distributed_cuda PRIVATE warpint_test_main_cuda warpint_test_support
                                                                    warpint_test_release warpint::mpi warpint::cuda)
        target_compile_definitions(warpint_test_distributed_cuda PRIVATE WARPINT_MPI_MESSAGE_BYTES=100)
        warpint_register_test(distributed_cuda "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 2 ${MPIEXEC_PREFLAGS}
                              $<TARGET_FILE:warpint_test_distributed_cuda> ${MPIEXEC_POSTFLAGS})
        list(APPEND distributed_tests distributed_cuda)
        set_tests_properties(distributed_gpus distributed_cuda PROPERTIES LABELS gpu)
    endif()
endif()
# Several GPUs on a rank, where the host emulates them.
if(WARPINT_CHECK_DEVICE_CODE)
    list(APPEND distributed_tests distributed_emulated)
    warpint_device_sources(devices_source distributed/devices_test.cpp)
    warpint_emulated_program(warpint_test_distributed_emulated warpint_test_main_emulated warpint::mpi SOURCES ${devices_source})
    warpint_register_test(distributed_emulated "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 2 ${MPIEXEC_PREFLAGS}
                          ${environment} WARPINT_EMULATED_GPUS=2
                          $<TARGET_FILE:warpint_test_distributed_emulated> --require-gpu ${MPIEXEC_POSTFLAGS})
endif()
# What is asked of NCCL: with stand-ins for it, which need no GPU, in place of the shared libraries' functions.
if(NOT WARPINT_CUDA_ENABLED OR NOT TARGET warpint::nccl)
    warpint_register_skipped_test(distributed_nccl "no CUDA, or no NCCL")
else()
    warpint_device_sources(nccl_source distributed/nccl_test.cpp)
    add_executable(warpint_test_nccl ${nccl_source} distributed/nccl_stand_in.cpp)
    set_target_properties(warpint_test_nccl PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
    target_link_libraries(warpint_test_nccl PRIVATE warpint_test_main warpint_test_settings warpint_test_debug
                                                    warpint::nccl warpint::cuda)
    warpint_register_test(distributed_nccl "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS}
                          $<TARGET_FILE:warpint_test_nccl> ${MPIEXEC_POSTFLAGS})
endif()

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
