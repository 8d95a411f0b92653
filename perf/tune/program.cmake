# SPDX-License-Identifier: Apache-2.0
# The program warpint_perf_tune (README.md), with a CUDA source for every width of series.def. Much compile time, so
# only on request: --target warpint_perf_tune
warpint_device_sources(tune_sources tune/main.cpp)
file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/tune/series.def" lines REGEX "^SERIES")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tune/series.def")
set(series 0)
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^SERIES\\((.*)\\)$" "\\1" line "${line}")
    string(REGEX REPLACE ", *" ";" values "${line}")
    list(GET values 0 formulas)
    list(SUBLIST values 7 -1 widths)
    foreach(width IN LISTS widths)
        set(source "${CMAKE_CURRENT_BINARY_DIR}/tune/${series}_${formulas}_${width}.cu")
        file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
             "#include \"tune/formulas.h\"\nPERF_TUNE_REGISTER(@series@, @width@, @formulas@)\n")
        list(APPEND tune_sources "${source}")
    endforeach()
    math(EXPR series "${series} + 1")
endforeach()
add_executable(warpint_perf_tune EXCLUDE_FROM_ALL ${tune_sources})
target_include_directories(warpint_perf_tune PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(warpint_perf_tune PRIVATE warpint::cuda warpint_warnings)
