// SPDX-License-Identifier: Apache-2.0
// Running a formula on a CPU, with what elements do together (evaluation/cut.h, side_by_side.h):
// every core takes rows of elements. On GPUs inverses_cuda.h.
#pragma once

#include "../evaluation/cut_strip.h"
#include "cores.h"
#include "side_by_side.h"

#include <memory>
#include <vector>

namespace warpint::execution {

namespace rows {

// Elements of a row of a core. One inversion for a long one; work that is not light is shared by
// more cores.
template <class Formula>
inline constexpr int length =
    (Formula::inverts && fits_a_strip<Formula> ? 8 : 1) * static_cast<int>(cpu_group);

// A sink for formulas that call functions of the user, which may throw.
template <class Sink>
struct GuardedSink : Sink {
    template <class Evaluate>
    void put(std::size_t index, const Evaluate &value, bool &fault) const {
        try {
            Sink::put(index, value, fault);
        } catch (...) {
            fault = true;
            ThrownInRun::note(index);
            Sink::put_nothing(index);
        }
    }
};
template <class Tree, class Sink>
auto sink_for(const Sink &sink) {
    if constexpr (expression::cost<Tree>.runs_user_code) {
        return GuardedSink<Sink>{sink};
    } else {
        return sink;
    }
}

// What a core keeps for cut k of a row, and how it computes it: of `count` elements.
template <int k, class Row, class Cut = cut_t<k, typename Row::Formula>>
class CutOfCore;

// The number of an operand: of a modulus, an exponent or a base what they prepare.
template <class Value>
struct NumberOf {
    using type = BigInt<value_bits<Value>>;
};
template <AnyNumber Value>
struct NumberOf<Value> {
    using type = number::big_t<number::scalar_t<Value>>;
};

// One operand of what an engine does together, for 32 elements: where it lies, or computed.
template <class Operand>
class RowOperand {
    using Value = typename Operand::value_type;
    using Number = typename NumberOf<Value>::type;
    static constexpr bool is_constant = expression::is_constant<Operand>;
    static constexpr bool is_stored = std::is_same_v<Operand, BatchPointer<Number>>;

public:
    static constexpr int bits = value_bits<Value>;
    static constexpr bool is_shared = is_constant; // one value for all elements

    explicit RowOperand(const Operand &operand) : operand_{operand} {
        if constexpr (is_constant && !collective::is_shared_base<Value>)
            numbers_[0] = number_of(operand.value);
    }
    // Elements first .. first + count - 1 of the row, in one word of fault bits. Bit i of `faults`
    // is set where element first + i has no value.
    template <class Row>
    void prepare(const Row &row, int first, int count, std::uint32_t &faults) {
        const std::size_t begin = row.index(first);
        if constexpr (is_stored) {
            const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
            if (operand_.faults != nullptr)
                faults |= operand_.faults[begin / 32] >> begin % 32 & all;
            data_ = operand_.data + begin;
        } else if constexpr (!is_constant) {
            for (int i = 0; i < count; ++i) {
                const CutContext<Row> context{
                    {begin + static_cast<std::size_t>(i)}, &row, first + i, nullptr};
                bool fault = false;
                guarded<Operand>(fault, context.index, [&] {
                    numbers_[i] = number_of(evaluate(operand_, context, fault));
                });
                if (fault) {
                    numbers_[i] = Number{};
                    faults |= std::uint32_t{1} << i;
                }
            }
        }
    }
    // Element i, as the operation takes it.
    [[nodiscard]] const auto &value(int i) const {
        if constexpr (is_stored) {
            return data_[i];
        } else if constexpr (is_constant) {
            return operand_.value;
        } else {
            return numbers_[i];
        }
    }
    // A shared exponent that is negative has none: each element faults by itself.
    [[nodiscard]] bool has_number() const {
        if constexpr (is_constant) {
            if constexpr (is_shared_exponent<Value>)
                return operand_.value.exists;
        }
        return true;
    }
#if WARPINT_SIMD
    [[nodiscard]] simd::Operand operand() const {
        if constexpr (is_stored) {
            return {data_, sizeof(Number), bits};
        } else {
            return {numbers_, is_constant ? 0 : sizeof(Number), bits};
        }
    }
#endif

private:
    template <class T>
    static Number number_of(const T &value) {
        if constexpr (is_shared_exponent<T>) {
            Number r;
            arith::copy<Number::limb_count>(r.limbs, value.schedule.limbs);
            return r;
        } else if constexpr (is_shared_modulus<T>) {
            return value.exists ? value.modulus.value() : Number{};
        } else if constexpr (ModulusContext<T>) {
            return value.value();
        } else {
            return number::to<Number>(number::as_number(value));
        }
    }

    const Operand &operand_;
    const Number *data_ = nullptr; // of stored elements
    Number numbers_[is_stored || is_constant ? 1 : cpu_group];
};

// An operation that an engine does for 32 elements together.
template <int k, class Row, class Operation, class... Operands>
class CutOfCore<k, Row, CutTogether<Node<Operation, Operands...>>> {
    using Formula = typename Row::Formula;
    using Node = expression::Node<Operation, Operands...>;
    using Positions = std::index_sequence_for<Operands...>;
    using Value = typename Node::value_type;

public:
    explicit CutOfCore(const Formula &formula)
        : CutOfCore(item<k>(formula.cut).operand, Positions{}) {}

    // in_place: where the formula's values go, if they are those of this cut; else null.
    void compute(Row &row, int count, Value *in_place) {
        for (int first = 0; first < count; first += static_cast<int>(cpu_group)) {
            const int left = std::min(count - first, static_cast<int>(cpu_group));
            std::uint32_t faults = 0;
            Value *const out = in_place != nullptr ? in_place + row.index(first) : values_;
            compute(row, first, left, faults, out, Positions{});
            for (std::uint32_t none = faults; none != 0; none &= none - 1)
                out[std::countr_zero(none)] = Value{};
            if (in_place != nullptr) {
                row.template note_word<k>(first / 32, faults);
                continue;
            }
            for (int i = 0; i < left; ++i)
                row.template put<k>(first + i, out[i], (faults >> i & 1u) == 0);
        }
    }

private:
    template <std::size_t... i>
    CutOfCore(const Node &node, std::index_sequence<i...>)
        : node_{node}, operands_{{RowOperand<Operands>(item<i>(node.operands))}...} {}

    template <std::size_t... i>
    void compute(const Row &row, int first, int count, std::uint32_t &faults, Value *out,
                 std::index_sequence<i...>) {
        (item<i>(operands_).prepare(row, first, count, faults), ...);
        std::uint32_t undone = ~std::uint32_t{0};
        if (collective::has_engine() && (item<i>(operands_).has_number() && ...))
            undone = node_.together(collective::SideBySide{}, out, count, item<i>(operands_)...);
        undone &= static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1) & ~faults;
        for (; undone != 0; undone &= undone - 1) {
            const int at = std::countr_zero(undone);
            bool fault = false;
            const Value value = node_.apply(fault, item<i>(operands_).value(at)...);
            if (fault) {
                faults |= std::uint32_t{1} << at;
            } else {
                out[at] = value;
            }
        }
    }

    const Node &node_;
    Tuple<RowOperand<Operands>...> operands_;
    Value values_[cpu_group];
};

// Inverses. What is inverted is computed once and kept.
template <int k, class Row>
struct KeptRow : StripOfInverses<k, Row> {
    using T = typename StripOfInverses<k, Row>::T;
    const T *kept;
    const bool *faults;

    [[nodiscard]] WARPINT_HOST_DEVICE const T &load(int i, bool &fault) const {
        fault = faults[i];
        return kept[i];
    }
};
template <int k, class Row, class Cut>
class CutOfCore {
    using Formula = typename Row::Formula;
    using Element = typename Cut::Element;
    using Ring = decltype(std::declval<const Cut &>().ring(std::declval<const Formula &>().rest));

public:
    explicit CutOfCore(const Formula &formula)
        : exists_{item<k>(formula.cut).modulus_exists()}, kept_(length<Formula>) {
        if (exists_)
            ring_ = std::make_unique<RingOfCore>(item<k>(formula.cut).ring(formula.rest));
    }
    void compute(Row &row, int count, std::nullptr_t) {
        if (!exists_) {
            for (int i = 0; i < count; ++i)
                row.template put<k>(i, Element{}, false);
            return;
        }
        const StripOfInverses<k, Row> computed{row};
        for (int i = 0; i < count; ++i) {
            bool fault = false;
            guarded<decltype(Cut::operand)>(fault, row.index(i), [&] {
                kept_[static_cast<std::size_t>(i)] = computed.load(i, fault);
            });
            faults_[i] = fault;
        }
        KeptRow<k, Row> elements{{row}, kept_.data(), faults_};
        arith::inverse_strip(elements, count, ring_->ring, ring_->divisors);
    }

private:
    struct RingOfCore {
        Ring ring;
        number::LearnedDivisors<Ring> divisors;
        explicit RingOfCore(const Ring &of) : ring{of}, divisors{ring} {}
    };
    bool exists_;
    std::unique_ptr<RingOfCore> ring_;
    std::vector<Element> kept_;
    bool faults_[length<Formula>];
};

// Where the formula's values go, if they are those of its last cut, as they are; else null.
template <class Formula, class Sink>
constexpr std::nullptr_t place_of_last(const Sink &) {
    return nullptr;
}
template <class Formula, class T>
constexpr auto place_of_last(const StoreInto<T> &sink) {
    using Last = cut_t<Formula::cuts - 1, Formula>;
    using Rest = decltype(std::declval<Formula>().rest);
    if constexpr (std::is_same_v<Rest, CutLeaf<Formula::cuts - 1, T>> && !Last::inverts) {
        return static_cast<T *>(place<0>(sink.target).data);
    } else {
        return nullptr;
    }
}

template <class Formula, class Sink, class Positions = typename Formula::Positions>
class StripsOfCore;
template <class Formula, class Sink, std::size_t... k>
class StripsOfCore<Formula, Sink, std::index_sequence<k...>> {
    using Row = CutStrip<Formula, length<Formula>, Sink>;
    static constexpr int last = Formula::cuts - 1;

public:
    explicit StripsOfCore(const Formula &formula)
        : formula_{formula}, cuts_{{CutOfCore<static_cast<int>(k), Row>(formula)}...} {}

    // Elements [begin, end): finished(first, faults) for each word of fault bits, or the part of
    // it that is theirs, from element `first` on.
    template <class Finished>
    void run(const Sink &sink, std::size_t begin, std::size_t end, const Finished &finished) {
        const typename Formula::Scratch scratch{{item<k>(scratch_).elements}...};
        for (int count = 0; begin < end; begin += static_cast<std::size_t>(count)) {
            count = static_cast<int>(
                std::min<std::size_t>(length<Formula> - begin % cpu_group, end - begin));
            Row row{formula_, sink, scratch, begin, 1, begin + static_cast<std::size_t>(count),
                    begin};
            (compute<k>(row, count), ...);
            for (int word = 0; word * 32 < count; ++word)
                finished(begin + 32 * static_cast<std::size_t>(word), row.missing[last][word]);
        }
    }

private:
    template <std::size_t at>
    void compute(Row &row, int count) {
        auto &cut = item<at>(cuts_);
        if constexpr (at == last) {
            cut.compute(row, count, place_of_last<Formula>(row.sink));
        } else {
            cut.compute(row, count, nullptr);
        }
    }

    const Formula &formula_;
    Tuple<CutOfCore<static_cast<int>(k), Row>...> cuts_;
    // The values of the cuts; those of the last, where they are not inverses, stay in registers.
    template <class Cut, bool is_last>
    struct Scratch {
        typename Cut::Element elements[is_last && !Cut::inverts ? 1 : length<Formula>];
    };
    Tuple<Scratch<cut_t<static_cast<int>(k), Formula>, k == last>...> scratch_;
};

} // namespace rows

// How a core of a CPU takes a batch: in blocks of a multiple of `granule` elements, each of which
// costs so many operations (operations_of).
struct CpuRun {
    bool in_rows = false;
    std::size_t granule = cpu_group;
    std::size_t operations = 0;
    const char *reason = "";

    [[nodiscard]] bool shares_words() const { return granule % 32 != 0; }
};
template <class Tree, bool always_in_rows = collective::always_in_rows<Tree>>
CpuRun cpu_run(std::size_t count) {
    CpuRun run;
    run.operations = operations_per_element<Tree>;
    if constexpr (is_dear<Tree>)
        run.granule = 1;
    run.reason = collective::reason(collective::min_grouped<Tree>, count);
    if constexpr (has_cuts<collective::Cuts, Tree>) {
        run.in_rows =
            always_in_rows || (count >= collective::min_grouped<Tree> && collective::has_engine());
        if (run.in_rows) {
            constexpr std::size_t length = rows::length<cut_formula_t<collective::Cuts, Tree>>;
            run.operations /= length / cpu_group;
            if (has_cuts<Inverses, Tree>) {
                run.granule = count < length * cpu_threads() ? cpu_group : length;
            } else if (!is_dear<Tree>) {
                run.granule = cpu_group;
            } else {
                run.granule = collective::elements_at_once(expression::cost<Tree>.widest_bits);
            }
        }
    }
    if constexpr (expression::cost<Tree>.runs_user_code && !has_cuts<collective::Cuts, Tree>)
        run.reason = "a function of the program: more threads where its first call takes long";
    if constexpr (has_cuts<Inverses, Tree>)
        run.reason = "inverses modulo one modulus: one inversion for many elements";
    return run;
}

// As run_on_cpu(), of a formula with cuts.
template <class Tree, class... T>
bool run_rows_on_cpu(const Target<T...> &target, std::size_t count, const Tree &tree,
                     const CpuRun &run) {
    const auto formula = cut_formula<collective::Cuts>(tree);
    using Formula = std::remove_const_t<decltype(formula)>;
    std::atomic<bool> any_fault{false};
    SharedFaults own(run.shares_words() ? count : 0);
    parallel_for(count, run.granule, run.operations, [&](std::size_t begin, std::size_t end) {
        const auto sink = rows::sink_for<Tree>(StoreInto<T...>{target});
        using Sink = std::remove_const_t<decltype(sink)>;
        const auto core = std::make_unique<rows::StripsOfCore<Formula, Sink>>(formula);
        bool faults = false;
        core->run(sink, begin, end, [&](std::size_t first, std::uint32_t mask) {
            if (run.shares_words()) {
                own.note(first, mask);
            } else {
                set_fault_word(target, first / 32, mask);
            }
            faults = faults || mask != 0;
        });
        if (faults)
            any_fault.store(true, std::memory_order_relaxed);
    });
    for (std::size_t word = 0; word < own.size(); ++word)
        set_fault_word(target, word, own[word]);
    return any_fault.load(std::memory_order_relaxed);
}

// As run_one_by_one(), with what elements do together. Out of line: beside what plans a formula,
// the loop of short ones takes a tenth longer.
template <class Tree, class... T>
WARPINT_NOINLINE bool run_on_cpu(const Target<T...> &target, std::size_t count, const Tree &tree) {
    if constexpr (collective::always_in_rows<Tree>) {
        return run_rows_on_cpu(target, count, tree, cpu_run<Tree>(count));
    } else {
        if constexpr (collective::has_collective<Tree>) {
            if (const CpuRun run = cpu_run<Tree>(count); run.in_rows)
                return run_rows_on_cpu(target, count, tree, run);
        }
        return run_one_by_one(target, count, tree);
    }
}

} // namespace warpint::execution
