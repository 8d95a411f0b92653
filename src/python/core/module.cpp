// SPDX-License-Identifier: Apache-2.0
// The module warpint._core, on Python's C interface. Numbers come and go as buffers: rows of 32-bit
// limbs. The package checks sizes before it calls; what is checked here again would read or write
// outside.
#include <Python.h>

#include "core.h"

#include <warpint/execution/memory/parallel.h>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace core;

// A reference that is ours.
class Reference {
public:
    explicit Reference(PyObject *object = nullptr) : object_{object} {}
    Reference(Reference &&other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
    Reference(const Reference &) = delete;
    Reference &operator=(const Reference &) = delete;
    ~Reference() { Py_XDECREF(object_); }
    PyObject *get() const { return object_; }
    PyObject *release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject *object_;
};

// Python's error is set.
struct PythonError {};

template <class T>
T checked(T result, bool good) {
    if (!good)
        throw PythonError{};
    return result;
}

class Buffer {
public:
    Buffer(PyObject *object, bool writes) {
        const int flags = PyBUF_C_CONTIGUOUS | (writes ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(object, &view_, flags) != 0)
            throw PythonError{};
    }
    Buffer(Buffer &&other) noexcept : view_{other.view_} { other.view_.obj = nullptr; }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() {
        if (view_.obj != nullptr)
            PyBuffer_Release(&view_);
    }
    std::size_t size() const { return static_cast<std::size_t>(view_.len); }
    template <class T>
    T *as() const {
        return static_cast<T *>(view_.buf);
    }

private:
    Py_buffer view_{};
};

// `count` numbers of a width, or one for all.
Column column_of(const Buffer &limbs, Width width, std::size_t count, bool shared = false) {
    const auto row = static_cast<std::size_t>(width.limbs());
    if (width.bits < 1 || limbs.size() != (shared ? 1 : count) * row * 4)
        throw std::invalid_argument("the limbs do not have this width or length");
    Column column;
    static_cast<Width &>(column) = width;
    column.data = limbs.as<u32>();
    column.stride = shared ? 0 : row;
    return column;
}

// Calls f without Python's lock; its exceptions become Python's.
template <class Function>
void without_lock(const Function &f) {
    std::exception_ptr failure;
    Py_BEGIN_ALLOW_THREADS try { f(); } catch (...) {
        failure = std::current_exception();
    }
    Py_END_ALLOW_THREADS if (failure) std::rethrow_exception(failure);
}

// A function of Python: f(arguments) returns a new reference or throws.
template <PyObject *(*f)(PyObject *)>
PyObject *call(PyObject *, PyObject *arguments) {
    try {
        return f(arguments);
    } catch (const PythonError &) {
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
    } catch (const std::invalid_argument &error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::exception &error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

long integer_at(PyObject *tuple, Py_ssize_t i) {
    PyObject *const item = PyTuple_GetItem(tuple, i);
    const long value = item == nullptr ? -1 : PyLong_AsLong(item);
    return checked(value, value != -1 || PyErr_Occurred() == nullptr);
}

// run(inputs, steps, out, faults, count)
//   inputs  (limbs, bits, signed, faults or None, shared) each
//   steps   (operation, bits, signed, operands, k) each; operands are indices of inputs, then of
//   steps
PyObject *run_formula(PyObject *arguments) {
    PyObject *inputs = nullptr;
    PyObject *steps = nullptr;
    PyObject *out_object = nullptr;
    PyObject *faults_object = nullptr;
    Py_ssize_t count_given = 0;
    if (PyArg_ParseTuple(arguments, "O!O!OOn", &PyTuple_Type, &inputs, &PyTuple_Type, &steps,
                         &out_object, &faults_object, &count_given) == 0)
        throw PythonError{};
    const auto count = static_cast<std::size_t>(count_given);
    std::vector<Buffer> held;
    Program program;
    for (Py_ssize_t j = 0; j < PyTuple_Size(inputs); ++j) {
        PyObject *limbs = nullptr;
        PyObject *faults = nullptr;
        Width width;
        int is_signed = 0;
        int shared = 0;
        if (PyArg_ParseTuple(PyTuple_GetItem(inputs, j), "OipOp", &limbs, &width.bits, &is_signed,
                             &faults, &shared) == 0)
            throw PythonError{};
        width.is_signed = is_signed != 0;
        held.emplace_back(limbs, false);
        Column column = column_of(held.back(), width, count, shared != 0);
        if (faults != Py_None) {
            held.emplace_back(faults, false);
            if (held.back().size() != (shared != 0 ? 1 : count))
                throw std::invalid_argument("one fault for each element");
            column.faults = held.back().as<std::uint8_t>();
            column.fault_stride = shared != 0 ? 0 : 1;
        }
        program.inputs.push_back(column);
    }
    for (Py_ssize_t j = 0; j < PyTuple_Size(steps); ++j) {
        Step step{};
        int operation = 0;
        int is_signed = 0;
        PyObject *operands = nullptr;
        long long k = 0;
        if (PyArg_ParseTuple(PyTuple_GetItem(steps, j), "iipO!L", &operation, &step.width.bits,
                             &is_signed, &PyTuple_Type, &operands, &k) == 0)
            throw PythonError{};
        const Py_ssize_t registers = PyTuple_Size(inputs) + j;
        const Py_ssize_t operand_count = PyTuple_Size(operands);
        if (operation < 0 || operation > static_cast<int>(last_operation) || operand_count < 1 ||
            operand_count > 4 || step.width.bits < 1)
            throw std::invalid_argument("no such step");
        step.operation = static_cast<Operation>(operation);
        step.width.is_signed = is_signed != 0;
        step.k = k;
        for (Py_ssize_t o = 0; o < operand_count; ++o) {
            const long operand = integer_at(operands, o);
            if (operand < 0 || operand >= registers)
                throw std::invalid_argument("no such register");
            step.operands.push_back(static_cast<int>(operand));
        }
        program.steps.push_back(step);
    }
    if (program.steps.empty())
        throw std::invalid_argument("no steps");
    const Buffer out_limbs(out_object, true);
    const Buffer out_faults(faults_object, true);
    Column out = column_of(out_limbs, program.steps.back().width, count);
    if (out_faults.size() != count)
        throw std::invalid_argument("one fault for each element");
    out.faults = out_faults.as<std::uint8_t>();
    out.fault_stride = 1;
    without_lock([&] { run(program, out, count); });
    Py_RETURN_NONE;
}

// class_bits(operation, widths): the bits of the class that computes it; 0: it needs none; -1: none
// holds them.
PyObject *class_bits(PyObject *arguments) {
    int operation = 0;
    PyObject *widths = nullptr;
    if (PyArg_ParseTuple(arguments, "iO!", &operation, &PyTuple_Type, &widths) == 0)
        throw PythonError{};
    std::vector<Width> operands;
    for (Py_ssize_t i = 0; i < PyTuple_Size(widths); ++i)
        operands.push_back({static_cast<int>(integer_at(widths, i)), false});
    const int needed = bits_of_class(static_cast<Operation>(operation), operands.data(),
                                     static_cast<int>(operands.size()));
    const WidthClass *const found = class_of(needed);
    return PyLong_FromLong(needed == 0 ? 0 : found == nullptr ? -1 : found->bits);
}

// ---- Python's integers, by their bytes. The stable interface has no fast way before Python 3.14,
// but every interpreter exports one: PyLong_AsNativeBytes from 3.13 on, before that a private
// function.

struct IntegerBytes {
    Py_ssize_t (*as_native)(PyObject *, void *, Py_ssize_t, int) = nullptr;
    PyObject *(*from_native)(const void *, std::size_t, int) = nullptr;
    PyObject *(*from_native_unsigned)(const void *, std::size_t, int) = nullptr;
    int (*as_bytes)(PyObject *, unsigned char *, std::size_t, int, int) = nullptr;
    PyObject *(*from_bytes)(const unsigned char *, std::size_t, int, int) = nullptr;

    IntegerBytes() {
        find(as_native, "PyLong_AsNativeBytes");
        find(from_native, "PyLong_FromNativeBytes");
        find(from_native_unsigned, "PyLong_FromUnsignedNativeBytes");
        if (as_native == nullptr) { // from 3.13 on the private one has other arguments
            find(as_bytes, "_PyLong_AsByteArray");
            find(from_bytes, "_PyLong_FromByteArray");
        }
    }
    static const IntegerBytes &instance() {
        static const IntegerBytes found;
        return found;
    }

private:
    template <class Function>
    static void find(Function *&f, const char *name) {
        f = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
    }
};

// Whether the integer fits; throws if it is none.
bool limbs_of_integer(u32 *to, PyObject *integer, Width width) {
    const IntegerBytes &how = IntegerBytes::instance();
    const auto size = static_cast<std::size_t>(width.limbs()) * 4;
    if (how.as_native != nullptr) {
        constexpr int little = 1;
        constexpr int unsigned_and_not_negative = 4 | 8;
        const Py_ssize_t needed =
            how.as_native(integer, to, static_cast<Py_ssize_t>(size),
                          width.is_signed ? little : little | unsigned_and_not_negative);
        if (needed < 0) {
            PyErr_Clear();
            return false;
        }
        if (static_cast<std::size_t>(needed) > size)
            return false;
    } else if (how.as_bytes != nullptr) {
        if (how.as_bytes(integer, reinterpret_cast<unsigned char *>(to), size, 1,
                         width.is_signed ? 1 : 0) != 0) {
            PyErr_Clear();
            return false;
        }
    } else {
        throw std::runtime_error("this interpreter does not export the bytes of its integers");
    }
    const u32 top = to[width.limbs() - 1];
    return normal_top(top, width) == top;
}
PyObject *integer_of_limbs(const u32 *from, Width width) {
    const IntegerBytes &how = IntegerBytes::instance();
    const auto size = static_cast<std::size_t>(width.limbs()) * 4;
    PyObject *result = nullptr;
    if (how.from_native != nullptr) {
        result = (width.is_signed ? how.from_native : how.from_native_unsigned)(from, size, 1);
    } else if (how.from_bytes != nullptr) {
        result = how.from_bytes(reinterpret_cast<const unsigned char *>(from), size, 1,
                                width.is_signed ? 1 : 0);
    } else {
        throw std::runtime_error("this interpreter does not export the bytes of its integers");
    }
    return checked(result, result != nullptr);
}

// from_integers(list, out, bits, signed): the index of the first that does not fit, or -1
PyObject *from_integers(PyObject *arguments) {
    PyObject *list = nullptr;
    PyObject *out = nullptr;
    Width width;
    int is_signed = 0;
    if (PyArg_ParseTuple(arguments, "O!Oip", &PyList_Type, &list, &out, &width.bits, &is_signed) ==
        0)
        throw PythonError{};
    width.is_signed = is_signed != 0;
    const Buffer limbs(out, true);
    const auto count = static_cast<std::size_t>(PyList_Size(list));
    const Column column = column_of(limbs, width, count);
    for (std::size_t i = 0; i < count; ++i) {
        PyObject *const item = PyList_GetItem(list, static_cast<Py_ssize_t>(i));
        if (item == nullptr)
            throw PythonError{};
        if (PyLong_Check(item)) {
            if (!limbs_of_integer(column[i], item, width))
                return PyLong_FromSize_t(i);
            continue;
        }
        const Reference integer(PyNumber_Index(item));
        if (!integer)
            throw PythonError{};
        if (!limbs_of_integer(column[i], integer.get(), width))
            return PyLong_FromSize_t(i);
    }
    return PyLong_FromLong(-1);
}

// to_integers(limbs, bits, signed, count): a list
PyObject *to_integers(PyObject *arguments) {
    PyObject *object = nullptr;
    Width width;
    int is_signed = 0;
    Py_ssize_t count = 0;
    if (PyArg_ParseTuple(arguments, "Oipn", &object, &width.bits, &is_signed, &count) == 0)
        throw PythonError{};
    width.is_signed = is_signed != 0;
    const Buffer limbs(object, false);
    const Column column = column_of(limbs, width, static_cast<std::size_t>(count));
    Reference list(PyList_New(count));
    if (!list)
        throw PythonError{};
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (PyList_SetItem(list.get(), i,
                           integer_of_limbs(column[static_cast<std::size_t>(i)], width)) != 0)
            throw PythonError{};
    }
    return list.release();
}

// ---- text

const WidthClass &class_for_text(int bits) {
    const WidthClass *const found = class_of(bits);
    if (found == nullptr)
        throw std::invalid_argument("no class of widths holds " + std::to_string(bits) + " bits");
    return *found;
}

// to_text(limbs, bits, signed, count, base): a list of texts
PyObject *to_text(PyObject *arguments) {
    PyObject *object = nullptr;
    Width width;
    int is_signed = 0;
    Py_ssize_t count_given = 0;
    int base = 10;
    if (PyArg_ParseTuple(arguments, "Oipni", &object, &width.bits, &is_signed, &count_given,
                         &base) == 0)
        throw PythonError{};
    width.is_signed = is_signed != 0;
    const auto count = static_cast<std::size_t>(count_given);
    const Buffer limbs(object, false);
    const Column column = column_of(limbs, width, count);
    const WidthClass &numbers = class_for_text(width.bits);
    // Digits of `bits` bits, at least one bit each (two in base 4, three from base 8 on), and a
    // sign.
    const auto room = static_cast<std::size_t>(numbers.bits / (base < 4   ? 1
                                                               : base < 8 ? 2
                                                                          : 3)) +
                      3;
    std::vector<char> text(count * room);
    std::vector<std::size_t> lengths(count);
    without_lock([&] {
        warpint::execution::parallel_for(count, 32, 60 * static_cast<std::size_t>(width.limbs()),
                                         [&](std::size_t first, std::size_t last) {
                                             const Room magnitude(numbers.bits / 32, 1);
                                             for (std::size_t i = first; i < last; ++i) {
                                                 const bool negative = load_magnitude(
                                                     column, i, magnitude[0], numbers.bits / 32);
                                                 char *const end = text.data() + (i + 1) * room;
                                                 char *begin =
                                                     numbers.write(end, magnitude[0], base);
                                                 if (negative)
                                                     *--begin = '-';
                                                 lengths[i] = static_cast<std::size_t>(end - begin);
                                             }
                                         });
    });
    Reference list(PyList_New(count_given));
    if (!list)
        throw PythonError{};
    for (std::size_t i = 0; i < count; ++i) {
        PyObject *const line = PyUnicode_FromStringAndSize(
            text.data() + (i + 1) * room - lengths[i], static_cast<Py_ssize_t>(lengths[i]));
        if (line == nullptr || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), line) != 0)
            throw PythonError{};
    }
    return list.release();
}

int digit_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'z' ? c - 'a' + 10
           : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                  : 99;
}
// Optional sign, then digits. False: none, or it does not fit.
bool read_line(u32 *to, const char *text, std::size_t size, int base, Width width,
               const WidthClass &numbers, u32 *magnitude) {
    const bool negative = size > 0 && *text == '-';
    if (size > 0 && (*text == '-' || *text == '+')) {
        ++text;
        --size;
    }
    if (size == 0 || !std::all_of(text, text + size, [base](char c) { return digit_of(c) < base; }))
        return false;
    if (!numbers.read(magnitude, text, size, base))
        return false;
    const int own = width.limbs();
    const int all = numbers.bits / 32;
    if (!is_zero(magnitude + own, all - own))
        return false;
    const bool minus = negative && !is_zero(magnitude, own);
    const bool top = magnitude[own - 1] >> 31 != 0;
    if (minus)
        negate(magnitude, own);
    std::memcpy(to, magnitude, static_cast<std::size_t>(own) * 4);
    if (!width.is_signed)
        return !minus && normal_top(to[own - 1], width) == to[own - 1];
    return (to[own - 1] >> 31 != 0) == minus && (minus || !top) &&
           normal_top(to[own - 1], width) == to[own - 1];
}

// from_text(list, out, bits, signed, base): the index of the first that is no such number, or -1
PyObject *from_text(PyObject *arguments) {
    PyObject *list = nullptr;
    PyObject *out = nullptr;
    Width width;
    int is_signed = 0;
    int base = 10;
    if (PyArg_ParseTuple(arguments, "O!Oipi", &PyList_Type, &list, &out, &width.bits, &is_signed,
                         &base) == 0)
        throw PythonError{};
    width.is_signed = is_signed != 0;
    const Buffer limbs(out, true);
    const auto count = static_cast<std::size_t>(PyList_Size(list));
    const Column column = column_of(limbs, width, count);
    const WidthClass &numbers = class_for_text(width.bits);
    std::vector<std::pair<const char *, std::size_t>> lines(count);
    std::vector<Reference> held; // the list may change while Python's lock is free
    held.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        PyObject *const item = PyList_GetItem(list, static_cast<Py_ssize_t>(i));
        Py_ssize_t size = 0;
        const char *const text = item == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(item, &size);
        if (text == nullptr)
            throw PythonError{};
        Py_INCREF(item);
        held.emplace_back(item);
        lines[i] = {text, static_cast<std::size_t>(size)};
    }
    std::atomic<std::size_t> bad{count};
    without_lock([&] {
        warpint::execution::parallel_for(
            count, 32, 60 * static_cast<std::size_t>(width.limbs()),
            [&](std::size_t first, std::size_t last) {
                const Room magnitude(numbers.bits / 32, 1);
                for (std::size_t i = first; i < last; ++i) {
                    const auto [text, size] = lines[i];
                    if (read_line(column[i], text, size, base, width, numbers, magnitude[0]))
                        continue;
                    std::size_t seen = bad.load();
                    while (i < seen && !bad.compare_exchange_weak(seen, i)) {
                    }
                }
            });
    });
    return bad == count ? PyLong_FromLong(-1) : PyLong_FromSize_t(bad);
}

// ---- what this build and this machine have

PyObject *engine(PyObject *) {
    return PyUnicode_FromString(engine_name());
}
PyObject *threads(PyObject *) {
    return PyLong_FromUnsignedLong(warpint::execution::cpu_threads());
}
PyObject *widths(PyObject *) {
    Reference list(PyList_New(width_class_count));
    if (!list)
        throw PythonError{};
    for (int i = 0; i < width_class_count; ++i) {
        if (PyList_SetItem(list.get(), i, PyLong_FromLong(width_classes[i]->bits)) != 0)
            throw PythonError{};
    }
    return list.release();
}
PyObject *operations(PyObject *) {
    Reference names(PyDict_New());
    if (!names)
        throw PythonError{};
    const char *const all[] = {
        "cast",     "add",   "sub",       "neg",        "invert",     "bit_and",  "bit_or",
        "bit_xor",  "shl",   "shr",       "shl_by",     "shr_by",     "lt",       "le",
        "eq",       "ne",    "bit_count", "bit_length", "where",      "absolute", "mul",
        "floordiv", "mod",   "mulmod",    "muladdmod",  "powmod",     "invmod",   "gcd",
        "isqrt",    "iroot", "jacobi",    "is_prime",   "next_prime", "sqrt_mod"};
    static_assert(std::size(all) == static_cast<std::size_t>(last_operation) + 1);
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const Reference number(PyLong_FromSize_t(i));
        if (!number || PyDict_SetItemString(names.get(), all[i], number.get()) != 0)
            throw PythonError{};
    }
    return names.release();
}

PyMethodDef methods[] = {
    {"run", call<run_formula>, METH_VARARGS, "Computes a formula."},
    {"class_bits", call<class_bits>, METH_VARARGS,
     "The class of widths that computes an operation."},
    {"from_integers", call<from_integers>, METH_VARARGS, "Writes integers as limbs."},
    {"to_integers", call<to_integers>, METH_VARARGS, "Reads limbs as integers."},
    {"from_text", call<from_text>, METH_VARARGS, "Writes texts as limbs."},
    {"to_text", call<to_text>, METH_VARARGS, "Reads limbs as texts."},
    {"engine", call<engine>, METH_NOARGS, "The engine of this CPU."},
    {"threads", call<threads>, METH_NOARGS, "How many threads compute."},
    {"widths", call<widths>, METH_NOARGS, "The classes of widths of this build, in bits."},
    {"operations", call<operations>, METH_NOARGS, "The numbers of the operations, by name."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef_Slot slots[] = {{0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "warpint._core",
                          "What computes.",
                          0,
                          methods,
                          slots,
                          nullptr,
                          nullptr,
                          nullptr};

} // namespace

PyMODINIT_FUNC PyInit__core() {
    return PyModuleDef_Init(&definition);
}
