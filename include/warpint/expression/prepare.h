// SPDX-License-Identifier: Apache-2.0
// What all elements of a formula share, as it is prepared for a run (lower.h), and where the
// formula will run.
#pragma once

#include "../limb/thread_object.h"
#include "../number/modular/forms.h"
#include "node.h"

#include <memory>
#include <mutex>
#include <vector>

namespace warpint::expression {

// Limbs that all elements of a formula read in memory, too many for the parameters of a kernel, one
// table for hosts and another for kernels. That of hosts is not filled before a run asks for it, in
// any thread.
class SharedTable : public number::TableSource {
public:
    SharedTable(std::size_t size, std::size_t kernel_size, int part_count)
        : number::TableSource{[](const number::TableSource &table) {
              return static_cast<const SharedTable &>(table).limbs();
          }},
          size_in_kernels{kernel_size}, parts{part_count}, size_{size} {}
    virtual ~SharedTable() = default;
    SharedTable(const SharedTable &) = delete;
    SharedTable &operator=(const SharedTable &) = delete;

    [[nodiscard]] const std::uint32_t *limbs() const {
        std::call_once(filled_, [this] {
            limbs_.resize(size_);
            fill(limbs_.data());
        });
        return limbs_.data();
    }
    // Fills the table for kernels: first this, then each part, in any order or at once.
    virtual void begin_for_kernels(std::uint32_t *limbs) const = 0;
    virtual void fill_for_kernels(std::uint32_t *limbs, int part) const = 0;

    const std::size_t size_in_kernels;
    const int parts;
    std::vector<std::shared_ptr<void>> places; // copies on GPUs, as runs made them

private:
    virtual void fill(std::uint32_t *limbs) const = 0;

    std::size_t size_;
    mutable std::once_flag filled_;
    mutable std::vector<std::uint32_t> limbs_;
};

// What a run of a formula keeps for as long as it lasts.
struct TablesOfRun {
    // Keeps the table; returns where kernels of the run read it, on a host null.
    virtual const std::uint32_t *use(const std::shared_ptr<SharedTable> &table) = 0;

protected:
    ~TablesOfRun() = default;
};

// Where a run of a formula reads a view's elements or marks, if not from the view itself.
struct ViewOfRun {
    const BatchState *view = nullptr;
    const std::uint32_t *faults = nullptr; // its marks
    const void *moved = nullptr;           // its elements; null: where they are
    const ViewOfRun *others = nullptr;     // other views, one after another
};

// Where the lowered tree will run, as far as constants depend on it. A type of its own in CUDA
// files: what GPUs read of a modulus is prepared there only.
inline namespace WARPINT_BACKEND {
struct LoweringTarget {
    bool on_gpu = false;
    const ViewOfRun *views = nullptr; // all of which there is something to say
    const void *modulus = nullptr;    // the Modulus of the formula's residues
    TablesOfRun *tables = nullptr;    // null: no kernel runs, and on a host only this thread

    // The elements of a batch.
    [[nodiscard]] const void *elements(const BatchState &batch) const {
        const ViewOfRun *const view = views != nullptr ? find(batch) : nullptr;
        return view != nullptr && view->moved != nullptr ? view->moved : batch.data;
    }
    // The fault words of a batch; null if every element has a value.
    [[nodiscard]] const std::uint32_t *fault_words(const BatchState &batch) const {
        if (!batch.may_have_faults())
            return nullptr;
        const ViewOfRun *const view = find(batch);
        return view != nullptr ? view->faults : batch.faults;
    }

private:
    // The same view, or a copy of it.
    [[nodiscard]] const ViewOfRun *find(const BatchState &batch) const {
        const ViewOfRun *view = views;
        while (view != nullptr &&
               !(view->view->data == batch.data && view->view->size == batch.size &&
                 view->view->marks == batch.marks))
            view = view->others;
        return view;
    }
};
} // namespace WARPINT_BACKEND

// The last value of a thread that was expensive to prepare, and what became of it: loops that use
// the same modulus again do not prepare it again.
template <class Key, class Prepared, class Make>
const Prepared &prepared_once(const Key &key, const Make &make) {
    struct Last {
        Key key;
        Prepared prepared;
    };
    auto &last = limb::thread_object<std::unique_ptr<Last>>();
    if (last == nullptr || !(last->key == key))
        last.reset(new Last{key, make()});
    return last->prepared;
}

template <int Bits>
auto formula_modulus(const Modulus<Bits> &m) {
    using Prepared = number::formula_modulus_t<Bits>;
    if constexpr (number::is_folded_modulus<Prepared> && !WARPINT_CUDA) {
        return Prepared(m, number::without_folds);
    } else {
        return Prepared(m);
    }
}

// Wider moduli are divided by: a few prepared ones would not fit the parameters of a kernel.
inline constexpr int max_prepared_bits = 16384;

template <class Operand>
inline constexpr bool is_constant_modulus = false;
template <AnyNumber T>
inline constexpr bool is_constant_modulus<ConstantLeaf<T>> =
    is_plain_modulus<T> && number::bits_of<T> <= max_prepared_bits;

template <class Operand>
inline constexpr bool is_modulus_context = false;
template <ModulusContext M>
inline constexpr bool is_modulus_context<ConstantLeaf<M>> = true;
// A Modulus that prepares nothing but itself.
template <class Operand>
inline constexpr bool is_prepared_modulus = false;
template <ModulusContext M>
inline constexpr bool is_prepared_modulus<ConstantLeaf<M>> =
    !number::is_folded_modulus<number::formula_modulus_t<M::bits>>;

// A Modulus of the user's is prepared again only where it has to be folded for GPUs.
template <class T>
auto lower_modulus(const ConstantLeaf<T> &leaf) {
    constexpr int bits = value_bits<T>;
    using Prepared = number::formula_modulus_t<bits>;
    using Leaf = ConstantLeaf<SharedModulus<bits>>;
    if constexpr (ModulusContext<T> && !(number::is_folded_modulus<Prepared> && WARPINT_CUDA)) {
        return Leaf{{formula_modulus(leaf.value), true}};
    } else {
        const BigInt<bits> value = number::modulus_value(leaf.value);
        if (!static_cast<bool>(value))
            return Leaf{};
        const auto make = [&] {
            if constexpr (ModulusContext<T>) {
                return formula_modulus(leaf.value);
            } else {
                return formula_modulus(Modulus<bits>(value));
            }
        };
        return Leaf{{prepared_once<BigInt<bits>, Prepared>(value, make), true}};
    }
}

// Exponents above this width are read bit by bit: their schedules would not fit the parameters of a
// kernel.
inline constexpr int max_scheduled_bits = 8192;

template <class Operand>
inline constexpr bool is_constant_exponent = false;
template <AnyNumber T>
inline constexpr bool is_constant_exponent<ConstantLeaf<T>> =
    number::bits_of<T> <= max_scheduled_bits;

template <int ModulusBits, class T>
auto lower_exponent(const ConstantLeaf<T> &leaf, const LoweringTarget &target) {
    constexpr int bits = number::bits_of<T>;
    using Shared = SharedExponent<bits>;
    const auto value = number::as_number(leaf.value);
    if (number::is_negative(value))
        return ConstantLeaf<Shared>{Shared{}};
    const int window =
        number::schedule_window(bits, Modulus<ModulusBits>::limb_count, target.on_gpu);
    const BigInt<bits> exponent = number::to<BigInt<bits>>(value);
    return ConstantLeaf<Shared>{Shared{arith::make_schedule<bits>(exponent.limbs, window), true}};
}

// Widths from which a base has tables in memory, and up to which: those of kernels have 8192
// entries.
inline constexpr int min_tabled_bits = 1024;
inline constexpr int max_tabled_bits = 8192;
template <class E, class M>
inline constexpr bool has_tabled_base =
    BigNumber<typename E::value_type> && value_bits<M> >= min_tabled_bits &&
    value_bits<M> <= max_tabled_bits;

template <class Tree>
inline constexpr bool is_power_of_base = false;
// Other combs have 2^5 numbers, which travel with the kernel's parameters.
template <AnyNumber A, class E, class M>
    requires(is_constant_modulus<ConstantLeaf<M>> || ModulusContext<M>) &&
                (!is_constant<E> && !number::signed_of<typename E::value_type> &&
                 (value_bits<M> <= 2048 || has_tabled_base<E, M>) &&
                 value_bits<typename E::value_type> >= 32)
inline constexpr bool
    is_power_of_base<Node<operation::Power, ConstantLeaf<A>, E, ConstantLeaf<M>>> = true;

// A base and a modulus by which combs are found again.
template <int Bits, class A>
struct BaseAndModulus {
    A base;
    BigInt<Bits> modulus;

    friend bool operator==(const BaseAndModulus &, const BaseAndModulus &) = default;
};
template <class A, class M>
auto base_and_modulus(const ConstantLeaf<A> &base, const ConstantLeaf<M> &modulus) {
    using Base = number::big_t<A>;
    constexpr int bits = value_bits<M>;
    return BaseAndModulus<bits, Base>{
        number::to<Base>(number::as_number(base.value)),
        number::to<BigInt<bits>>(number::modulus_value(modulus.value))};
}

// The last bases of a thread with their tables: a formula may have several.
inline constexpr std::size_t kept_bases = 4;

template <int Bits, int ExponentBits>
struct TableOfBase final : SharedTable {
    using Tabled = number::TabledBase<Bits, ExponentBits>;
    using Kernels = typename Tabled::KernelComb;
    Modulus<Bits> modulus;
    BigInt<Bits> base;

    template <class A>
    explicit TableOfBase(const BaseAndModulus<Bits, A> &of)
        : SharedTable(limbs_of<typename Tabled::HostComb>, limbs_of<Kernels>, Kernels::parts),
          modulus(of.modulus), base(number::reduce(number::as_number(of.base), modulus)) {}
    void fill(std::uint32_t *limbs) const override {
        Tabled::HostComb::prepare(limbs, base, modulus);
    }
    void begin_for_kernels(std::uint32_t *limbs) const override {
        Kernels::prepare_powers(limbs, base, modulus);
    }
    void fill_for_kernels(std::uint32_t *limbs, int part) const override {
        Kernels::prepare_part(limbs, modulus, part);
    }

private:
    template <class Comb>
    static constexpr std::size_t limbs_of = std::size_t{Comb::entries} * Comb::limb_count;
};
template <int ExponentBits, int Bits, class A>
std::shared_ptr<TableOfBase<Bits, ExponentBits>>
table_of_base(const BaseAndModulus<Bits, A> &wanted) {
    using Table = TableOfBase<Bits, ExponentBits>;
    struct Kept {
        BaseAndModulus<Bits, A> key;
        std::shared_ptr<Table> table;
    };
    auto &all = limb::thread_object<std::vector<Kept>>();
    for (const Kept &kept : all) {
        if (kept.key == wanted)
            return kept.table;
    }
    if (all.size() == kept_bases)
        all.erase(all.begin());
    all.push_back(Kept{wanted, std::make_shared<Table>(wanted)});
    return all.back().table;
}

// E: the operand that is the exponent.
template <class E, class A, class M>
auto lower_base(const ConstantLeaf<A> &base, const ConstantLeaf<M> &modulus,
                const LoweringTarget &target) {
    constexpr int bits = value_bits<M>;
    constexpr int exponent_bits = value_bits<typename E::value_type>;
    const auto key = base_and_modulus(base, modulus);
    if constexpr (has_tabled_base<E, M>) {
        using Leaf = ConstantLeaf<SharedTabledBase<bits, exponent_bits>>;
        if (!static_cast<bool>(key.modulus))
            return Leaf{};
        const auto table = table_of_base<exponent_bits>(key);
        const std::uint32_t *const in_kernels =
            target.tables != nullptr ? target.tables->use(table) : nullptr;
        return Leaf{{{table->base, table->modulus, in_kernels, *table}, true}};
    } else {
        using Prepared = FixedBase<bits, exponent_bits>;
        using Leaf = ConstantLeaf<SharedBase<bits, exponent_bits>>;
        if (!static_cast<bool>(key.modulus))
            return Leaf{};
        return Leaf{{prepared_once<std::remove_const_t<decltype(key)>, Prepared>(
                         key, [&] { return Prepared(key.base, Modulus<bits>(key.modulus)); }),
                     true}};
    }
}

template <int Bits>
number::form_modulus_t<Bits> modulus_of_forms(const Modulus<Bits> &m,
                                              const LoweringTarget &target) {
    if constexpr (number::form_is_in_registers<Bits>) {
        using Prepared = number::FoldedFormModulus<Bits>;
        if (m.is_odd() || !target.on_gpu)
            return Prepared(m, number::without_folds);
        return prepared_once<BigInt<Bits>, Prepared>(m.value(), [&] { return Prepared(m); });
    } else {
        return m;
    }
}

} // namespace warpint::expression
