# SPDX-License-Identifier: Apache-2.0
# The types of the batched number tests: which width is compiled where. Each call makes a source of
# its own, so that compiles stay small and run side by side.
#
# warpint_number_source(<name> <title> [EVERYWHERE <statement>...] [DEVICE <statement>...]
#                       [HOST <statement>...] [LONG <statement>...])
#
# Writes <name>.cpp with calls of number_test::add_... (number/widths.h) and appends it to
# number_sources, or, if a short CUDA build has nothing in it, to number_host_sources. EVERYWHERE:
# host and device; DEVICE: short CUDA builds only; HOST: hosts and long CUDA builds; LONG: both, with
# WARPINT_LONG_TESTS.
function(warpint_number_source name title)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EVERYWHERE;DEVICE;HOST;LONG")
    foreach(part IN ITEMS EVERYWHERE DEVICE HOST LONG)
        string(TOLOWER ${part} variable)
        set(${variable} "")
        foreach(statement IN LISTS arg_${part})
            string(APPEND ${variable} "    ${statement};\n")
        endforeach()
    endforeach()
    set(output "${CMAKE_CURRENT_BINARY_DIR}/number/${name}.cpp")
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/number/widths.cpp.in" "${output}" @ONLY)
    if(arg_EVERYWHERE OR arg_DEVICE OR WARPINT_LONG_TESTS)
        set(list number_sources)
    else()
        set(list number_host_sources)
    endif()
    set(${list} ${${list}} "${output}" PARENT_SCOPE)
endfunction()

warpint_number_source(narrow "Widths of 7 to 192 bits"
    EVERYWHERE
        "add_unsigned<33, 64, 131>()"
        "add_all<BigInt<96>, SignedBigInt<33>>()"
    HOST
        "add_unsigned<7, 31, 32, 96, 109, 128, 160, 163, 191, 192>()"
        "add_signed<7, 32, 33, 64, 131, 191>()"
        "add_all<SignedBigInt<33>, BigInt<131>>()"
        "add_all<SignedBigInt<64>, SignedBigInt<109>>()"
        "add_all<BigInt<192>, BigInt<31>>()"
    LONG
        "add_signed<31, 96, 109, 128, 160, 163, 192>()")
warpint_number_source(medium "Widths of 239 to 1024 bits"
    EVERYWHERE
        "add_unsigned<256, 512, 521>()"
        "add_signed<256>()"
    HOST
        "add_unsigned<239, 384, 544, 768, 1024>()"
        "add_signed<521, 1024>()"
        "add_all<BigInt<521>, SignedBigInt<239>>()"
    LONG
        "add_signed<239, 384, 512, 544, 768>()")
warpint_number_source(wide "Widths of 1536 to 4096 bits"
    DEVICE
        "add_unsigned<1024, 2048>()"
        "add_case<Group::products, BigInt<4096>, BigInt<4096>>()"
    HOST
        "add_unsigned<1536, 2048, 2112, 2240, 3072, 4096>()"
        "add_signed<2112>()"
        "add_all<BigInt<2048>, BigInt<1024>>()"
    LONG
        "add_signed<1536, 2048, 2240, 3072, 4096>()")
warpint_number_source(widest "Widths of 8192 bits"
    EVERYWHERE
        "add_unsigned<8192>()"
    LONG
        "add_signed<8192>()")

# 32768 bits: the groups have files of their own, because kernels of this width take minutes to
# compile. EVERYWHERE and HOST name groups here.
function(warpint_widest_source name title)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EVERYWHERE;HOST")
    set(everywhere "")
    set(host "")
    set(long "")
    foreach(group IN LISTS arg_EVERYWHERE)
        list(APPEND everywhere "add_case<Group::${group}, BigInt<32768>, BigInt<32768>>()")
    endforeach()
    foreach(group IN LISTS arg_HOST)
        list(APPEND host "add_case<Group::${group}, BigInt<32768>, BigInt<32768>>()")
    endforeach()
    foreach(group IN LISTS arg_EVERYWHERE arg_HOST)
        list(APPEND long "add_case<Group::${group}, SignedBigInt<32768>, SignedBigInt<32768>>()")
    endforeach()
    warpint_number_source(${name} "Numbers of 32768 bits: ${title}" EVERYWHERE ${everywhere}
                          HOST ${host} LONG ${long})
    set(number_sources ${number_sources} PARENT_SCOPE)
    set(number_host_sources ${number_host_sources} PARENT_SCOPE)
endfunction()

warpint_widest_source(widest_sums "sums, comparisons and conversions"
                      EVERYWHERE sums orders HOST conversions)
warpint_widest_source(widest_bits "shifts and bit fields" HOST bits)
warpint_widest_source(widest_products "products" HOST products)
warpint_widest_source(widest_divisions "quotients and remainders"
                      EVERYWHERE divisions HOST builtin_divisions)
warpint_widest_source(widest_roots "divisions onto an operand, square roots, random numbers"
                      HOST division_aliases functions)
