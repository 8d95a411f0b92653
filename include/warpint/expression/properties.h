// SPDX-License-Identifier: Apache-2.0
// What is known of a formula from its type alone: what it costs, what it reads, whether elements
// may be left without a value.
#pragma once

#include "gather.h"
#include "let.h"
#include "residue.h"

namespace warpint::expression {

struct Properties {
    WorkKind work = WorkKind::streaming; // the heaviest of its operations
    int widest_bits = 0;                 // of its values
    int bytes_read = 0;                  // for each element
    int power_bits = 0;                  // of the widest exponent of a modular power
    bool can_fault = false;              // by an operation of its own
    bool runs_user_code = false;
    bool on_host = false;
    bool on_device = false;
    bool on_shards = false; // in pieces, on a group of devices
};

WARPINT_HOST_DEVICE constexpr int larger(int a, int b) {
    return a > b ? a : b;
}

WARPINT_HOST_DEVICE constexpr Properties joined(const Properties &a, const Properties &b) {
    Properties r;
    r.work = a.work < b.work ? b.work : a.work;
    r.widest_bits = larger(a.widest_bits, b.widest_bits);
    r.bytes_read = a.bytes_read + b.bytes_read;
    r.power_bits = larger(a.power_bits, b.power_bits);
    r.can_fault = a.can_fault || b.can_fault;
    r.runs_user_code = a.runs_user_code || b.runs_user_code;
    r.on_host = a.on_host || b.on_host;
    r.on_device = a.on_device || b.on_device;
    r.on_shards = a.on_shards || b.on_shards;
    return r;
}

// Specialised for leaves of other kinds.
template <class Tree>
struct properties_of_tree;

template <class Tree>
inline constexpr Properties properties = properties_of_tree<Tree>::value();

template <class T>
struct properties_of_elements {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r;
        r.widest_bits = value_bits<T>;
        r.bytes_read = static_cast<int>(sizeof(T));
        return r;
    }
};
template <class T>
struct properties_of_tree<Elements<T>> : properties_of_elements<T> {};
template <class T, Space space>
struct properties_of_tree<BatchLeaf<T, space>> {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r = properties_of_elements<T>::value();
        r.on_host = space == Space::host;
        r.on_device = space != Space::host;
        return r;
    }
};
template <class T, Space space>
struct properties_of_tree<SourceLeaf<T, space>> : properties_of_tree<BatchLeaf<T, space>> {};
template <class Tag, class T>
struct properties_of_tree<NamedLeaf<Tag, T>> {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r;
        r.widest_bits = value_bits<T>;
        return r;
    }
};
template <>
struct properties_of_tree<IndexLeaf> {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r;
        r.widest_bits = 64;
        return r;
    }
};
template <class T>
struct properties_of_tree<ConstantLeaf<T>> {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r;
        r.widest_bits = value_bits<T>;
        return r;
    }
};

template <int Bits, class Tree>
struct properties_of_tree<WithModulus<Bits, Tree>> : properties_of_tree<Tree> {};

template <class Operation, class... Operands>
struct properties_of_tree<Node<Operation, Operands...>> {
    template <class Operand>
    WARPINT_HOST_DEVICE static constexpr void note(Properties &r, Role role) {
        if (role == Role::exponent)
            r.power_bits = larger(r.power_bits, value_bits<typename Operand::value_type>);
    }
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r;
        int position = 0;
        ((r = joined(r, properties_of_tree<Operands>::value()),
          note<Operands>(r, Operation::role(position++))),
         ...);
        using Value = typename Node<Operation, Operands...>::value_type;
        r.work = r.work < Operation::work ? Operation::work : r.work;
        r.widest_bits = larger(r.widest_bits, value_bits<Value>);
        r.can_fault =
            r.can_fault || Operation::template can_fault<typename Operands::value_type...>;
        r.runs_user_code = r.runs_user_code || Operation::runs_user_code;
        return r;
    }
};

// Formulas of one space only.
template <class Tree>
constexpr bool check_spaces() {
    static_assert(!(properties<Tree>.on_host && properties<Tree>.on_device),
                  "a formula cannot mix host_vector and device_vector: copy one of them");
    static_assert(!properties<Tree>.on_shards ||
                      !(properties<Tree>.on_host || properties<Tree>.on_device),
                  "a formula cannot mix sharded_vector and other vectors: copy one of them");
    return true;
}

} // namespace warpint::expression
