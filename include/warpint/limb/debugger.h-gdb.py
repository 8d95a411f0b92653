# SPDX-License-Identifier: Apache-2.0
"""Pretty-printers that show the values of warpint's numbers in gdb.

A program that was compiled without NDEBUG tells gdb where this file lies, beside the headers; gdb loads it
by itself once ~/.gdbinit allows it:

    add-auto-load-safe-path <prefix>/include/warpint

Or load them by hand, in a session or in ~/.gdbinit:

    source <prefix>/share/warpint/gdb/warpint_gdb.py

Numbers of up to 64 bits are shown in decimal, wider ones in hexadecimal; print/d, /u, /x, /o and /t
choose. `whatis` and `ptype` tell the width. A number whose unused top bits are not what the library
keeps there is marked: it is most likely not initialised. The program's functions are not called, so
that core dumps and programs that do not run can be read too.
"""

import gdb
import gdb.printing
import gdb.types

LIMB_BITS = 32


def requested_format():
    """The letter of print/x and the like, or None."""
    if hasattr(gdb, "print_options"):  # gdb 13
        return gdb.print_options().get("format")
    return None


def number_text(value, signed):
    """The text of a BigInt or a SignedBigInt."""
    bits = width_of(value)
    return text_of(limbs_to_int(value["limbs"], bits), bits, signed)


def width_of(value):
    """The template argument Bits."""
    return int(gdb.types.get_basic_type(value.type).template_argument(0))


def limbs_to_int(limbs, bits):
    """The whole limbs that hold so many bits, as one number."""
    pattern = 0
    for i in range((bits + LIMB_BITS - 1) // LIMB_BITS):
        pattern |= (int(limbs[i]) & 0xFFFFFFFF) << (LIMB_BITS * i)
    return pattern


def text_of(pattern, bits, signed):
    """The text of the number whose limbs are `pattern`."""
    limb_count = (bits + LIMB_BITS - 1) // LIMB_BITS
    number = pattern & ((1 << bits) - 1)
    if signed and number >> (bits - 1):
        number -= 1 << bits
    stored = number & ((1 << (LIMB_BITS * limb_count)) - 1)

    default = "d" if bits <= 64 else "x"
    letter = requested_format() or default
    sign = "-" if number < 0 else ""
    if letter == "x":
        text = sign + hex(abs(number))
    elif letter == "o":
        text = sign + "0" + format(abs(number), "o")
    elif letter == "t":
        text = sign + bin(abs(number))
    else:
        text = sign + decimal(abs(number))
    return text if stored == pattern else text + " (unused bits set: not initialised?)"


def decimal(number):
    """Decimal digits, in pieces: Python refuses to print more than 4300 at once."""
    pieces = []
    while number >= 10**1000:
        number, piece = divmod(number, 10**1000)
        pieces.append(str(piece).zfill(1000))
    pieces.append(str(number))
    return "".join(reversed(pieces))


class BigIntPrinter:
    """BigInt<Bits>."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return number_text(self.value, signed=False)


class SignedBigIntPrinter:
    """SignedBigInt<Bits>."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return number_text(self.value, signed=True)


class ModulusPrinter:
    """Modulus<Bits>: the modulus, not the constants that come from it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        # Stored shifted to the left if it is even (form_modulus).
        bits = width_of(self.value)
        words = 64 * ((bits + 63) // 64)
        form = limbs_to_int(self.value["form_modulus_"], words)
        shift = int(self.value["shift_"]) if int(self.value["zeros_"]) != 0 else 0
        return text_of(form >> shift, bits, signed=False)


def build_printer():
    printer = gdb.printing.RegexpCollectionPrettyPrinter("warpint")
    printer.add_printer("BigInt", r"^warpint::BigInt<\d+>$", BigIntPrinter)
    printer.add_printer("SignedBigInt", r"^warpint::SignedBigInt<\d+>$", SignedBigIntPrinter)
    printer.add_printer("Modulus", r"^warpint::Modulus<\d+>$", ModulusPrinter)
    return printer


# Replaced when the file is loaded again.
gdb.printing.register_pretty_printer(gdb.current_objfile(), build_printer(), replace=True)
