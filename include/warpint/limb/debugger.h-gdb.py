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

import re

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


class StaticResiduePrinter:
    """StaticResidue<p>: the number in [0, p), or its form where only the headers know which reduction p has."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        # gdb does not give the arguments of a pack: bits and limbs are read from the name.
        name = gdb.types.get_basic_type(self.value.type).name
        bits, *limbs = (int(number) for number in re.findall(r"\d+", name[name.index("<") :]))
        modulus = limbs_to_int(limbs, bits)
        form = limbs_to_int(self.value["form"]["limbs"], bits)
        width = modulus.bit_length()
        rest = ((1 << width) - modulus).bit_length()
        if modulus % 2 == 0 or (2 * rest + 1 < width and rest <= LIMB_BITS + 1):  # plain, by Barrett or folds
            return residue_text(form, modulus, bits)
        if width % LIMB_BITS == 0 and width >= 4 * LIMB_BITS:  # Montgomery's, or plain of a Solinas number
            return "form " + residue_text(form, modulus, bits)
        return residue_text(out_of_montgomery(form, modulus), modulus, bits)


def out_of_montgomery(form, modulus):
    """The number that Montgomery form stands for, modulo an odd number; R has whole 64-bit words."""
    words = (modulus.bit_length() + 63) // 64
    return form * pow(1 << (64 * words), -1, modulus) % modulus if modulus > 1 else 0


def residue_text(number, modulus, bits):
    if number >= modulus:
        return text_of(number, bits, signed=False) + " (not below the modulus: not initialised?)"
    return text_of(number, bits, signed=False)


class ModulusParts:
    """What residues are computed with, from a Modulus<Bits>."""

    def __init__(self, modulus):
        self.bits = width_of(modulus)
        self.words = 64 * ((self.bits + 63) // 64)
        self.form_modulus = limbs_to_int(modulus["form_modulus_"], self.words)
        self.shift = int(modulus["shift_"]) if int(modulus["zeros_"]) != 0 else 0
        self.value = self.form_modulus >> self.shift
        if self.value % 2 != 0 and self.value > 1:
            self.inverse_of_r = pow(1 << self.words, -1, self.value)

    def text(self, form):
        """The text of the residue with that form."""
        if self.value % 2 == 0 or self.value == 1:
            return residue_text(form >> self.shift, self.value, self.bits)
        if form >= self.value:
            return residue_text(form, self.value, self.bits)
        return residue_text(form * self.inverse_of_r % self.value, self.value, self.bits)


class ResiduePrinter:
    """Residue<Bits>: the number in [0, m)."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            modulus = ModulusParts(self.value["modulus_"].dereference())
            return modulus.text(limbs_to_int(self.value["form_"], modulus.words))
        except (gdb.MemoryError, ValueError):
            return "(refers to no Modulus: not initialised?)"


class ResidueElementPrinter:
    """residue_element<Bits>: the number in [0, m)."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        modulus = ModulusParts(pointer_of(self.value["modulus_"]).dereference())
        return modulus.text(limbs_to_int(self.value["form_"]["limbs"], modulus.words))


def pointer_of(shared):
    """The pointer in a std::shared_ptr, of libstdc++ or libc++."""
    for name in ("_M_ptr", "__ptr_"):
        try:
            return shared[name]
        except gdb.error:
            continue
    raise gdb.error("an unknown std::shared_ptr")


class VectorPrinter:
    """host_vector<T> and device_vector<T>: the elements, where they lie in memory of the host."""

    def __init__(self, value):
        self.value = value
        self.modulus = None
        stored = gdb.types.get_basic_type(value.type)
        if gdb.types.has_field(stored, "state_"):
            stored = stored.fields()[0].type  # the base: the vector of their forms
            state = pointer_of(value["state_"])
            if int(state) != 0:
                modulus = pointer_of(state.dereference()["modulus"])
                if int(modulus) != 0:
                    self.modulus = ModulusParts(modulus.dereference())
        storage = pointer_of(value["storage_"])
        self.storage = storage.dereference() if int(storage) != 0 else None
        self.element = stored.template_argument(0)
        self.size = int(self.storage["size"]) if self.storage is not None else 0
        self.device = int(self.storage["location"]["device"]) if self.storage is not None else -1

    def to_string(self):
        place = " on GPU %d" % self.device if self.device >= 0 else ""
        of = " modulo %s" % text_of(self.modulus.value, self.modulus.bits, signed=False) if self.modulus else ""
        return "vector of length %d%s%s" % (self.size, place, of)

    def display_hint(self):
        return "array"

    def children(self):
        if self.device >= 0 or self.size == 0:
            return
        marks = self.storage["marks"]
        faults = None
        if int(marks) != 0 and bool(marks.dereference()["may_have_faults"]):
            faults = self.storage["faults"]
        elements = self.storage["data"].cast(self.element.pointer())
        for i in range(self.size):
            if faults is not None and (int(faults[i // 32]) >> (i % 32)) & 1:
                yield "[%d]" % i, "none"
            elif self.modulus is not None:
                yield "[%d]" % i, self.modulus.text(limbs_to_int(elements[i]["limbs"], self.modulus.words))
            else:
                yield "[%d]" % i, elements[i]


class ModulusPrinter:
    """Modulus<Bits>: the modulus, not the constants that come from it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        modulus = ModulusParts(self.value)
        return text_of(modulus.value, modulus.bits, signed=False)


def build_printer():
    printer = gdb.printing.RegexpCollectionPrettyPrinter("warpint")
    printer.add_printer("BigInt", r"^warpint::BigInt<\d+>$", BigIntPrinter)
    printer.add_printer("SignedBigInt", r"^warpint::SignedBigInt<\d+>$", SignedBigIntPrinter)
    printer.add_printer("Modulus", r"^warpint::Modulus<\d+>$", ModulusPrinter)
    printer.add_printer("Residue", r"^warpint::Residue<\d+>$", ResiduePrinter)
    printer.add_printer("StaticResidue", r"^warpint::BasicStaticResidue<\d+[, u\d]*>$", StaticResiduePrinter)
    printer.add_printer("residue_element", r"^warpint::residue_element<\d+>$", ResidueElementPrinter)
    printer.add_printer("batch_vector", r"^warpint::batch_vector<.*>$", VectorPrinter)
    return printer


# Replaced when the file is loaded again.
gdb.printing.register_pretty_printer(gdb.current_objfile(), build_printer(), replace=True)
