// SPDX-License-Identifier: Apache-2.0
// Tells gdb where the printers of warpint's numbers lie: beside this file. A program that was
// compiled without NDEBUG carries the file's name in a section of its own, which takes no memory
// when it runs; gdb loads it where its `auto-load safe-path` allows, and says what to allow where
// it does not. Define WARPINT_NO_DEBUGGER_SCRIPT to leave it out.
#pragma once

#if defined(__ELF__) && defined(__GNUC__) && !defined(NDEBUG) && !defined(__CUDA_ARCH__) &&        \
    !defined(WARPINT_NO_DEBUGGER_SCRIPT)
// The byte 1 stands for a file with a program in Python (gdb's manual, "The .debug_gdb_scripts
// section").
__asm__(".pushsection \".debug_gdb_scripts\", \"MS\", %progbits, 1\n"
        ".byte 1\n"
        ".asciz \"" __FILE__ "-gdb.py\"\n"
        ".popsection\n");
#endif
