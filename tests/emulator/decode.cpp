// SPDX-License-Identifier: Apache-2.0
// From the text of PTX to instructions (ptx.h).

#include "instructions.h"
#include "thread.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

namespace ptx {
namespace {

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}
std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_space(s.front()))
        s.remove_prefix(1);
    while (!s.empty() && is_space(s.back()))
        s.remove_suffix(1);
    return s;
}
// Without the comment at its end.
std::string_view code_of(std::string_view line) {
    return line.substr(0, line.find("//"));
}

std::string_view next_word(std::string_view &s) {
    s = trimmed(s);
    std::size_t n = 0;
    while (n < s.size() && (is_word(s[n]) || s[n] == '.'))
        ++n;
    const std::string_view word = s.substr(0, n);
    s.remove_prefix(n);
    return word;
}
// The parts between commas that are not in brackets.
std::vector<std::string_view> parts_of(std::string_view s) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        depth += s[i] == '(' || s[i] == '{' || s[i] == '[' ? 1 : 0;
        depth -= s[i] == ')' || s[i] == '}' || s[i] == ']' ? 1 : 0;
        if (s[i] == ',' && depth == 0) {
            parts.push_back(trimmed(s.substr(first, i - first)));
            first = i + 1;
        }
    }
    if (!trimmed(s.substr(first)).empty())
        parts.push_back(trimmed(s.substr(first)));
    return parts;
}
std::optional<std::uint64_t> number_of(std::string_view s) {
    if (s.empty())
        return std::nullopt;
    const bool negative = s[0] == '-';
    if (negative)
        s.remove_prefix(1);
    if (s.size() >= 2 && s[0] == '0' && (s[1] == 'f' || s[1] == 'F' || s[1] == 'd' || s[1] == 'D'))
        return std::strtoull(std::string(s.substr(2)).c_str(), nullptr, 16);
    if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0])) == 0)
        return std::nullopt;
    const std::uint64_t x = std::strtoull(std::string(s).c_str(), nullptr, 0);
    return negative ? 0 - x : x;
}
std::size_t bytes_of_type(std::string_view type) { // ".b32", ".u64", ...
    if (type == ".pred")
        return 1;
    const int bits = std::atoi(std::string(type.substr(2)).c_str());
    if (bits == 0)
        fail("an unknown type: " + std::string(type));
    return static_cast<std::size_t>(bits) / 8;
}

// ".param .align 16 .b8 name[32]", in parts.
struct Declaration {
    std::string_view name;
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    bool is_dynamic = false;
};
Declaration declaration_of(std::string_view s) {
    Declaration d;
    std::size_t element = 0;
    for (;;) {
        s = trimmed(s);
        if (s.empty())
            fail("a declaration without a name");
        const std::string_view word = next_word(s);
        if (word == ".align") {
            d.alignment = *number_of(next_word(s));
        } else if (word == ".ptr" || word == ".param" || word == ".local" || word == ".shared" ||
                   word == ".global" || word == ".const" || word == ".extern" ||
                   word == ".visible" || word == ".weak" || word == ".reg") {
            continue;
        } else if (word[0] == '.') {
            element = bytes_of_type(word);
            d.alignment = std::max(d.alignment, element);
        } else {
            d.name = word;
            break;
        }
    }
    d.bytes = element;
    s = trimmed(s);
    if (!s.empty() && s[0] == '[') {
        const std::string_view count = trimmed(s.substr(1, s.find(']') - 1));
        d.is_dynamic = count.empty();
        d.bytes = d.is_dynamic ? 0 : element * *number_of(count);
    }
    return d;
}

std::size_t rounded(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

// What a name means inside of a function.
struct Meaning {
    enum class What : std::uint8_t { slot, parameter, local, shared, table } what;
    std::int32_t slot = -1;
    unsigned bits = 64; // of a register
    Parameter parameter{};
    std::size_t offset = 0;
    const Variable *variable = nullptr;
};

class Decoder {
public:
    explicit Decoder(Function &function) : f_{function} {}

    void run() {
        read_head();
        read_body();
        resolve();
        f_.registers = registers_;
        f_.constants = std::move(constants_);
        for (Instruction &each : f_.code) {
            for (std::int32_t &slot : each.slot)
                slot = slot < 0 && slot > no_slot ? registers_ + (-slot - 2) : slot;
        }
        for (auto &[slot, variable] : f_.shared_slots)
            slot = registers_ + (-slot - 2);
        for (auto &[slot, offset] : f_.local_slots)
            slot = registers_ + (-slot - 2);
        f_.is_decoded = true;
    }

private:
    static constexpr std::int32_t no_slot = -(1 << 30);

    void read_head() {
        const std::size_t open = f_.text.find('{');
        std::string_view head = f_.text.substr(0, open);
        body_ = f_.text.substr(open);
        line_ = f_.line + static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n'));
        scopes_.emplace_back();
        // .visible .entry name( ... ) or .func (results) name( ... )
        std::vector<std::string_view> lists;
        for (std::size_t i = 0; i < head.size(); ++i) {
            if (head[i] != '(')
                continue;
            const std::size_t end = head.find(')', i);
            lists.push_back(head.substr(i + 1, end - i - 1));
            i = end;
        }
        const std::size_t name_at = head.find(f_.name);
        const bool has_results = head.find('(') < name_at;
        std::size_t k = 0;
        if (has_results) {
            for (const std::string_view each : parts_of(lists[k++]))
                add_parameter(each, Parameter::Place::result, results_++);
        }
        if (k < lists.size()) {
            for (const std::string_view each : parts_of(lists[k])) {
                f_.parameter_bytes.push_back(
                    add_parameter(each, Parameter::Place::argument, f_.parameter_bytes.size()));
            }
        }
        if (const std::size_t at = head.find(".maxntid"); at != std::string_view::npos) {
            std::string_view sizes = head.substr(at + 8);
            sizes = sizes.substr(0, sizes.find('\n'));
            f_.max_threads = 1;
            for (const std::string_view each : parts_of(sizes)) {
                std::string_view word = each;
                f_.max_threads *= static_cast<int>(*number_of(next_word(word)));
            }
        }
        if (f_.parameter_bytes.size() > 16 || results_ > 2)
            fail("too many parameters: " + f_.name);
    }
    std::size_t add_parameter(std::string_view text, Parameter::Place place, std::size_t number) {
        const Declaration d = declaration_of(text);
        Meaning m{Meaning::What::parameter};
        m.parameter = {place, number};
        scopes_.back()[std::string(d.name)] = m;
        return d.bytes;
    }

    void read_body() {
        std::string statement;
        std::uint32_t begun = line_;
        for (std::size_t i = 0; i < body_.size(); ++i) {
            const char c = body_[i];
            if (c == '\n')
                ++line_;
            if (c == '/' && i + 1 < body_.size() && body_[i + 1] == '/') {
                i = body_.find('\n', i) - 1;
                continue;
            }
            const std::string_view so_far = trimmed(statement);
            if (so_far.empty())
                begun = line_;
            if (c == '{' && so_far.empty()) {
                scopes_.emplace_back();
                continue;
            }
            if (c == '}' && so_far.empty()) {
                scopes_.pop_back();
                continue;
            }
            if (c == ':' && so_far.find_first_of(" \t") == std::string_view::npos) {
                label_ = std::string(so_far);
                labels_[label_] = f_.code.size();
                statement.clear();
                continue;
            }
            if (c != ';') {
                statement += c == '\n' ? ' ' : c;
                continue;
            }
            here_ = begun;
            if (!so_far.empty())
                read_statement(so_far);
            statement.clear();
        }
    }
    void read_statement(std::string_view s) {
        if (s[0] != '.') {
            read_instruction(s);
            return;
        }
        if (s.starts_with(".reg")) {
            read_registers(s.substr(4));
        } else if (s.starts_with(".local")) {
            const Declaration d = declaration_of(s);
            Meaning m{Meaning::What::local};
            m.offset = rounded(f_.local_bytes, std::max<std::size_t>(d.alignment, 16));
            f_.local_bytes = m.offset + d.bytes;
            scopes_.back()[std::string(d.name)] = m;
        } else if (s.starts_with(".param")) {
            const Declaration d = declaration_of(s);
            Meaning m{Meaning::What::parameter};
            m.parameter = {Parameter::Place::call_site, rounded(f_.call_site_bytes, 16)};
            f_.call_site_bytes = m.parameter.at + d.bytes;
            scopes_.back()[std::string(d.name)] = m;
        } else if (s.starts_with(".shared")) {
            Meaning m{Meaning::What::shared};
            const Declaration d = declaration_of(s);
            kept_.push_back(std::make_unique<std::map<std::string, Variable, std::less<>>>());
            m.variable = &f_.module->declare(s, *kept_.back());
            scopes_.front()[std::string(d.name)] = m;
        } else if (s.starts_with(".branchtargets")) {
            std::vector<std::string> names;
            for (const std::string_view each : parts_of(s.substr(14)))
                names.emplace_back(each);
            targets_[label_] = std::move(names);
        } else if (s.starts_with(".callprototype") || s.starts_with(".pragma") ||
                   s.starts_with(".loc") || s.starts_with(".file")) {
            return;
        } else {
            fail("an unknown directive: " + std::string(s));
        }
    }
    void read_registers(std::string_view s) {
        const std::string_view type = next_word(s);
        const unsigned bits = type == ".pred" ? 1 : static_cast<unsigned>(8 * bytes_of_type(type));
        for (const std::string_view each : parts_of(s)) {
            Meaning m{Meaning::What::slot};
            m.bits = bits;
            const std::size_t angle = each.find('<');
            if (angle == std::string_view::npos) {
                m.slot = registers_++;
                scopes_.back()[std::string(each)] = m;
                continue;
            }
            const auto count = static_cast<std::int32_t>(
                *number_of(each.substr(angle + 1, each.size() - angle - 2)));
            ranges_[std::string(each.substr(0, angle))] = {registers_, count, bits};
            registers_ += count;
        }
    }

    [[nodiscard]] std::optional<Meaning> meaning(std::string_view name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (const auto found = scope->find(name); found != scope->end())
                return found->second;
        }
        std::size_t digits = name.size();
        while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0)
            --digits;
        if (const auto range = ranges_.find(name.substr(0, digits));
            range != ranges_.end() && digits < name.size()) {
            Meaning m{Meaning::What::slot};
            m.slot = range->second.first + std::atoi(std::string(name.substr(digits)).c_str());
            m.bits = range->second.bits;
            return m;
        }
        return std::nullopt;
    }

    // Constants get the slots -2, -3, ..., until the number of registers is known.
    std::int32_t constant(std::uint64_t value) {
        const auto [found, is_new] = known_constants_.try_emplace(value, 0);
        if (is_new) {
            constants_.push_back(value);
            found->second = -static_cast<std::int32_t>(constants_.size()) - 1;
        }
        return found->second;
    }
    std::int32_t own_constant(std::uint64_t value) {
        constants_.push_back(value);
        return -static_cast<std::int32_t>(constants_.size()) - 1;
    }
    std::int32_t shared_slot(const Variable *variable) {
        const auto [found, is_new] = shared_constants_.try_emplace(variable, 0);
        if (is_new) {
            found->second = own_constant(0);
            f_.shared_slots.emplace_back(found->second, variable);
        }
        return found->second;
    }
    // The slot of an operand: a register, a number, an address.
    std::int32_t slot_of(std::string_view s) {
        s = trimmed(s);
        if (s == "_")
            return junk();
        if (const std::optional<std::uint64_t> x = number_of(s))
            return constant(*x);
        if (s == "WARP_SZ")
            return constant(32);
        if (const std::optional<Meaning> m = meaning(s)) {
            switch (m->what) {
            case Meaning::What::slot:
                return m->slot;
            case Meaning::What::shared:
                return shared_slot(m->variable);
            case Meaning::What::local: {
                const std::int32_t slot = own_constant(0);
                f_.local_slots.emplace_back(slot, m->offset);
                return slot;
            }
            default:
                break;
            }
        }
        if (const Variable *variable = f_.module->variable(s)) {
            return variable->is_shared
                       ? shared_slot(variable)
                       : constant(reinterpret_cast<std::uint64_t>(variable->address));
        }
        if (Function *function = f_.module->find(s))
            return constant(reinterpret_cast<std::uint64_t>(function));
        fail("an unknown operand " + std::string(s) + " in " + f_.name);
    }
    std::int32_t junk() {
        if (junk_ < 0)
            junk_ = registers_++;
        return junk_;
    }
    std::vector<std::string_view> elements(std::string_view s) {
        return s.starts_with('{') ? parts_of(s.substr(1, s.size() - 2))
                                  : std::vector<std::string_view>{s};
    }
    struct Memory {
        std::optional<Parameter> parameter;
        std::int32_t base = 0;
        bool is_narrow = false; // a base of 32 bits
        std::int64_t offset = 0;
    };
    Memory memory(std::string_view s) {
        s = trimmed(s.substr(1, s.size() - 2)); // without [ ]
        Memory m;
        std::size_t at = s.find('+');
        if (at == std::string_view::npos && s.find('-') != std::string_view::npos && s[0] != '-')
            at = s.find('-');
        const std::string_view name = trimmed(s.substr(0, at));
        if (at != std::string_view::npos) {
            std::string_view offset = trimmed(s.substr(at));
            if (offset[0] == '+')
                offset.remove_prefix(1);
            m.offset = static_cast<std::int64_t>(*number_of(trimmed(offset)));
        }
        if (const std::optional<Meaning> known = meaning(name)) {
            if (known->what == Meaning::What::parameter) {
                m.parameter = known->parameter;
                return m;
            }
            m.is_narrow = known->what == Meaning::What::slot && known->bits == 32;
        }
        m.base = slot_of(name);
        return m;
    }

    void read_instruction(std::string_view s) {
        Instruction i;
        i.line = here_;
        for (std::int32_t &slot : i.slot)
            slot = no_slot;
        if (s[0] == '@') {
            s.remove_prefix(1);
            if (s[0] == '!') {
                i.is_negated = true;
                s.remove_prefix(1);
            }
            i.guard = slot_of(next_word(s));
        }
        s = trimmed(s);
        std::size_t end = 0;
        while (end < s.size() && !is_space(s[end]))
            ++end;
        std::vector<std::string_view> words; // of the mnemonic
        std::string_view rest = s.substr(0, end);
        while (!rest.empty()) {
            const std::size_t dot = rest.find('.');
            words.push_back(rest.substr(0, dot));
            rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
        }
        decode(i, words, trimmed(s.substr(end)), s);
        f_.code.push_back(i);
    }
    static bool has(const std::vector<std::string_view> &words, std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    void decode(Instruction &i, const std::vector<std::string_view> &words, std::string_view rest,
                std::string_view whole) {
        const std::string_view name = words[0];
        const std::vector<std::string_view> operands = parts_of(rest);
        const auto refuse = [&] {
            fail("an instruction that is not known: " + std::string(whole) + " in " + f_.name);
        };
        if (name == "bra") {
            i.run = run_branch;
            branches_.emplace_back(f_.code.size(), std::string(operands[0]));
        } else if (name == "brx") {
            i.run = run_indexed_branch;
            i.slot[0] = slot_of(operands[0]);
            indexed_.emplace_back(f_.code.size(), std::string(operands[1]));
        } else if (name == "call") {
            read_call(i, operands);
        } else if (name == "ret") {
            i.run = run_return;
        } else if (name == "exit") {
            i.run = run_exit;
        } else if (name == "trap" || name == "brkpt") {
            i.run = run_trap;
        } else if (name == "ld" || name == "ldu") {
            read_access(i, words, operands[0], operands[1], true);
        } else if (name == "st") {
            read_access(i, words, operands[1], operands[0], false);
        } else if (name == "cp") {
            read_copy(i, words, operands);
        } else if (name == "atom" || name == "red") {
            read_atomic(i, words, operands, name == "red");
        } else if (name == "mov") {
            read_move(i, words, operands);
        } else if (name == "cvta") {
            i.run = run_move;
            i.slot[0] = slot_of(operands[0]);
            i.slot[1] = slot_of(operands[1]);
        } else if (name == "setp") {
            read_comparison(i, words, operands);
        } else if (name == "membar" || name == "fence" || name == "prefetch" ||
                   name == "nanosleep" || name == "discard" || name == "prefetchu" ||
                   name == "griddepcontrol") {
            i.run = run_nothing;
        } else if (name == "shfl" || name == "vote" || name == "match" || name == "redux") {
            read_together(i, words, operands);
        } else if (name == "mma") {
            read_matrices(i, words, operands);
        } else if (name == "activemask") {
            i.run = run_active_mask;
            i.slot[0] = slot_of(operands[0]);
        } else if (name == "bar" || name == "barrier") {
            read_barrier(i, words, operands);
        } else {
            for (std::size_t k = 0; k < operands.size(); ++k) {
                if (operands[k][0] == '!' || operands[k].find('|') != std::string_view::npos)
                    refuse();
                i.slot[k] = slot_of(operands[k]);
            }
            i.run = plain_instruction(words);
        }
        if (i.run == nullptr)
            refuse();
    }

    void read_call(Instruction &i, const std::vector<std::string_view> &operands) {
        f_.calls.push_back(std::make_unique<Call>());
        Call &call = *f_.calls.back();
        std::size_t k = 0;
        const auto places = [&](std::string_view list) {
            std::vector<Parameter> found;
            for (const std::string_view each : parts_of(list.substr(1, list.size() - 2))) {
                const std::optional<Meaning> m = meaning(each);
                if (!m || m->what != Meaning::What::parameter)
                    fail("an unknown parameter of a call: " + std::string(each));
                found.push_back(m->parameter);
            }
            return found;
        };
        if (operands[0][0] == '(')
            call.results = places(operands[k++]);
        const std::string_view target = operands[k++];
        if (const std::optional<Meaning> m = meaning(target)) {
            call.slot = m->slot;
        } else {
            call.name = target;
        }
        if (k < operands.size() && operands[k][0] == '(')
            call.arguments = places(operands[k++]);
        i.run = run_call;
        i.call = &call;
    }

    void read_access(Instruction &i, const std::vector<std::string_view> &words,
                     std::string_view values, std::string_view place, bool loads) {
        const Memory m = memory(place);
        const std::vector<std::string_view> each = elements(values);
        for (std::size_t k = 0; k < each.size(); ++k)
            i.slot[k] = slot_of(each[k]);
        i.count = static_cast<int>(each.size());
        i.number = m.offset;
        if (m.parameter) {
            i.slot[7] = static_cast<std::int32_t>(m.parameter->at);
            i.number2 = static_cast<std::int64_t>(m.parameter->place);
        } else {
            i.slot[7] = no_slot;
            i.slot[6] = m.base;
            i.number2 = m.is_narrow ? 1 : 0;
        }
        i.run = access(words.back(), loads);
    }
    void read_copy(Instruction &i, const std::vector<std::string_view> &words,
                   const std::vector<std::string_view> &operands) {
        if (words.size() < 2 || words[1] != "async" || has(words, "bulk"))
            return;
        if (has(words, "wait_all") || has(words, "commit_group") || has(words, "wait_group")) {
            i.run = run_nothing;
            return;
        }
        const Memory to = memory(operands[0]), from = memory(operands[1]);
        i.slot[0] = to.base;
        i.number = to.offset;
        i.slot[1] = from.base;
        i.number2 = from.offset;
        i.count = static_cast<int>(*number_of(operands[2]));
        i.slot[2] = operands.size() > 3 ? slot_of(operands[3])
                                        : constant(static_cast<std::uint64_t>(i.count));
        i.run = to.is_narrow ? run_copy_to_narrow : run_copy;
    }
    void read_atomic(Instruction &i, const std::vector<std::string_view> &words,
                     const std::vector<std::string_view> &operands, bool without_result) {
        std::size_t k = 0;
        i.slot[0] = without_result ? junk() : slot_of(operands[k++]);
        const Memory m = memory(operands[k++]);
        i.slot[1] = m.base;
        i.number = m.offset;
        i.number2 = m.is_narrow ? 1 : 0;
        i.slot[2] = slot_of(operands[k++]);
        if (k < operands.size())
            i.slot[3] = slot_of(operands[k]);
        i.run = atomic(words);
    }
    void read_move(Instruction &i, const std::vector<std::string_view> &words,
                   const std::vector<std::string_view> &operands) {
        const std::string_view type = words.back();
        if (operands[0].starts_with('{') || operands[1].starts_with('{')) {
            const bool packs = operands[1].starts_with('{');
            const std::vector<std::string_view> each = elements(operands[packs ? 1 : 0]);
            for (std::size_t k = 0; k < each.size(); ++k)
                i.slot[k + 1] = slot_of(each[k]);
            i.slot[0] = slot_of(operands[packs ? 0 : 1]);
            i.count = static_cast<int>(each.size());
            i.number =
                static_cast<std::int64_t>(8 * bytes_of_type("." + std::string(type)) / each.size());
            i.run = packs ? run_pack : run_unpack;
            return;
        }
        i.slot[0] = slot_of(operands[0]);
        if (const std::optional<int> special = special_register(operands[1])) {
            i.number = *special;
            i.run = run_special;
            return;
        }
        const std::optional<Meaning> m = meaning(operands[1]);
        if (m && m->what == Meaning::What::parameter) {
            i.slot[7] = static_cast<std::int32_t>(m->parameter.at);
            i.number2 = static_cast<std::int64_t>(m->parameter.place);
            i.run = run_address_of_parameter;
            return;
        }
        i.slot[1] = slot_of(operands[1]);
        i.run = type == "pred" || type.ends_with("64") ? run_move : run_move_of(type);
    }
    void read_comparison(Instruction &i, const std::vector<std::string_view> &words,
                         const std::vector<std::string_view> &operands) {
        std::string_view first = operands[0];
        i.slot[3] = junk();
        if (const std::size_t bar = first.find('|'); bar != std::string_view::npos) {
            i.slot[3] = slot_of(first.substr(bar + 1));
            first = first.substr(0, bar);
        }
        i.slot[0] = slot_of(first);
        i.slot[1] = slot_of(operands[1]);
        i.slot[2] = slot_of(operands[2]);
        if (operands.size() > 3) {
            std::string_view other = operands[3];
            i.count = other[0] == '!' ? 2 : 1;
            if (other[0] == '!')
                other.remove_prefix(1);
            i.slot[4] = slot_of(other);
            i.number2 = has(words, "and") ? 0 : has(words, "or") ? 1 : 2;
        }
        i.run = comparison(words);
    }
    void read_together(Instruction &i, const std::vector<std::string_view> &words,
                       const std::vector<std::string_view> &operands) {
        std::string_view first = operands[0];
        i.slot[5] = junk();
        if (const std::size_t bar = first.find('|'); bar != std::string_view::npos) {
            i.slot[5] = slot_of(first.substr(bar + 1));
            first = first.substr(0, bar);
        }
        i.slot[0] = slot_of(first);
        std::string_view value = operands[1];
        if (value[0] == '!') {
            i.count = 1;
            value.remove_prefix(1);
        }
        i.slot[1] = slot_of(value);
        for (std::size_t k = 2; k < operands.size(); ++k)
            i.slot[k] = slot_of(operands[k]);
        i.slot[6] = slot_of(operands.back()); // the mask
        i.number = together_kind(words);
        i.number2 = words.back().ends_with("64") ? 64 : 32;
        i.run = i.number < 0 ? nullptr : wait_for_warp;
    }
    // D, A, B, C of a product of matrices: slots 0, 8, 12, 14 and on.
    void read_matrices(Instruction &i, const std::vector<std::string_view> &words,
                       const std::vector<std::string_view> &operands) {
        static constexpr int first[4] = {0, 8, 12, 14};
        if (operands.size() != 4)
            return;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::vector<std::string_view> each = elements(operands[k]);
            if (each.size() != (k == 2 ? 2 : 4))
                return;
            for (std::size_t j = 0; j < each.size(); ++j)
                i.slot[first[k] + static_cast<int>(j)] = slot_of(each[j]);
        }
        i.slot[6] = constant(0xffffffff); // the mask
        i.number = together_kind(words);
        i.run = i.number < 0 ? nullptr : wait_for_warp;
    }
    void read_barrier(Instruction &i, const std::vector<std::string_view> &words,
                      const std::vector<std::string_view> &operands) {
        if (has(words, "warp")) {
            i.number = together_kind(words);
            i.slot[6] = slot_of(operands[0]);
            i.run = wait_for_warp;
            return;
        }
        i.number = has(words, "red") ? (has(words, "popc") ? 1 : has(words, "and") ? 2 : 3) : 0;
        if (has(words, "arrive"))
            return;
        std::size_t k = 0;
        i.slot[0] = junk();
        if (i.number != 0)
            i.slot[0] = slot_of(operands[k++]);
        i.slot[1] = slot_of(operands[k++]);
        i.slot[2] = constant(0);
        const std::size_t left = operands.size() - k - (i.number != 0 ? 1 : 0);
        if (left != 0)
            i.slot[2] = slot_of(operands[k++]);
        if (i.number != 0) {
            std::string_view value = operands[k];
            i.count = value[0] == '!' ? 1 : 0;
            if (value[0] == '!')
                value.remove_prefix(1);
            i.slot[3] = slot_of(value);
        }
        i.run = wait_at_barrier;
    }

    void resolve() {
        const auto target = [&](const std::string &label) {
            const auto found = labels_.find(label);
            if (found == labels_.end())
                fail("an unknown label " + label + " in " + f_.name);
            return static_cast<std::int64_t>(found->second);
        };
        for (const auto &[at, label] : branches_)
            f_.code[at].number = target(label);
        for (const auto &[at, label] : indexed_) {
            f_.tables.push_back(std::make_unique<std::vector<std::int64_t>>());
            for (const std::string &each : targets_[label])
                f_.tables.back()->push_back(target(each));
            f_.code[at].number = reinterpret_cast<std::int64_t>(f_.tables.back()->data());
            f_.code[at].count = static_cast<int>(f_.tables.back()->size());
        }
        Instruction last;
        last.run = run_return;
        last.line = line_;
        f_.code.push_back(last);
    }

    struct Range {
        std::int32_t first, count;
        unsigned bits;
    };

    Function &f_;
    std::string_view body_;
    std::uint32_t line_ = 0, here_ = 0;
    std::size_t results_ = 0;
    std::int32_t registers_ = 0, junk_ = -1;
    std::vector<std::uint64_t> constants_;
    std::map<std::uint64_t, std::int32_t> known_constants_;
    std::map<const Variable *, std::int32_t> shared_constants_;
    std::vector<std::map<std::string, Meaning, std::less<>>> scopes_;
    std::map<std::string, Range, std::less<>> ranges_;
    std::map<std::string, std::size_t> labels_;
    std::map<std::string, std::vector<std::string>> targets_;
    std::string label_;
    std::vector<std::pair<std::size_t, std::string>> branches_, indexed_;
    // Shared variables of functions live as long as the process.
    inline static std::vector<std::unique_ptr<std::map<std::string, Variable, std::less<>>>> kept_;
};

} // namespace

void decode(Function &function) {
    Decoder(function).run();
}

[[noreturn]] void fail(const std::string &message) {
    std::fprintf(stderr, "PTX: %s\n", message.c_str());
    std::abort();
}

namespace {

// A number, or generic(variable): the address of one that was declared before.
std::optional<std::uint64_t>
initial_value(std::string_view text, const std::map<std::string, Variable, std::less<>> &scope) {
    constexpr std::string_view generic = "generic(";
    if (!text.starts_with(generic) || !text.ends_with(')'))
        return number_of(text);
    text.remove_prefix(generic.size());
    text.remove_suffix(1);
    const auto found = scope.find(text);
    if (found == scope.end() || found->second.is_shared)
        return std::nullopt;
    return reinterpret_cast<std::uintptr_t>(found->second.address);
}

} // namespace

Variable &Module::declare(std::string_view text,
                          std::map<std::string, Variable, std::less<>> &scope) {
    const Declaration d = declaration_of(text.substr(0, text.find('=')));
    Variable &v = scope[std::string(d.name)];
    v.bytes = d.bytes;
    v.alignment = std::max<std::size_t>(d.alignment, 16);
    v.is_dynamic = d.is_dynamic;
    v.is_shared = text.find(".shared") < text.find(d.name);
    if (v.is_shared) {
        if (!v.is_dynamic) {
            v.offset = rounded(shared_bytes_, v.alignment);
            shared_bytes_ = v.offset + v.bytes;
        }
        return v;
    }
    if (v.address == nullptr)
        v.address = static_cast<char *>(std::aligned_alloc(64, rounded(v.bytes + 1, 64)));
    std::memset(v.address, 0, v.bytes);
    const std::size_t assign = text.find('=');
    if (assign == std::string_view::npos)
        return v;
    std::string_view values = trimmed(text.substr(assign + 1));
    std::size_t element = v.bytes;
    for (const std::string_view type : {".b8", ".u8", ".s8", ".b16", ".u16", ".s16", ".b32", ".u32",
                                        ".s32", ".f32", ".b64", ".u64", ".s64", ".f64"}) {
        if (text.substr(0, assign).find(std::string(type) + " ") != std::string_view::npos)
            element = bytes_of_type(type);
    }
    std::vector<std::string_view> each{values};
    if (values.starts_with('{'))
        each = parts_of(values.substr(1, values.find('}') - 1));
    for (std::size_t k = 0; k < each.size(); ++k) {
        const std::optional<std::uint64_t> x = initial_value(each[k], scope);
        if (!x)
            fail("an initial value that is not a number: " + std::string(each[k]));
        std::memcpy(v.address + k * element, &*x, element);
    }
    return v;
}

Module::Module(std::string_view text) {
    std::uint32_t line = 0;
    std::size_t at = 0;
    const auto next_line = [&] {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view found = text.substr(at, end - at);
        at = std::min(end + 1, text.size());
        ++line;
        return found;
    };
    std::set<std::string, std::less<>> seen;
    while (at < text.size()) {
        const std::size_t begin = at;
        const std::uint32_t first_line = line + 1;
        const std::string_view s = trimmed(code_of(next_line()));
        if (s.empty())
            continue;
        constexpr std::string_view target = ".target sm_";
        if (s.starts_with(target))
            target_ = std::atoi(s.data() + target.size());
        const bool is_kernel = s.find(".entry ") != std::string_view::npos;
        if (is_kernel || s.find(".func ") != std::string_view::npos || s.ends_with(".func")) {
            // The head ends with ';' (a declaration) or the body begins with '{' on a line.
            std::string head(s);
            bool is_body = false;
            while (at < text.size() && !head.ends_with(';')) {
                const std::string_view more = trimmed(code_of(next_line()));
                if (more.starts_with('{')) {
                    is_body = true;
                    break;
                }
                head += ' ';
                head += more;
            }
            std::string_view rest = head;
            rest.remove_prefix(head.find(is_kernel ? ".entry" : ".func") + (is_kernel ? 6 : 5));
            rest = trimmed(rest);
            if (rest.starts_with('('))
                rest.remove_prefix(rest.find(')') + 1);
            const std::string name(next_word(rest));
            if (!is_body)
                continue;
            for (int depth = 1; depth > 0 && at < text.size();) {
                const std::string_view more = trimmed(code_of(next_line()));
                depth += static_cast<int>(std::count(more.begin(), more.end(), '{'));
                depth -= static_cast<int>(std::count(more.begin(), more.end(), '}'));
            }
            Function &f = functions_[name];
            f.module = this;
            f.name = name;
            f.text = text.substr(begin, at - begin);
            f.line = first_line;
            f.is_kernel = is_kernel;
            continue;
        }
        if (s.find(".global ") != std::string_view::npos ||
            s.find(".const ") != std::string_view::npos ||
            s.find(".shared ") != std::string_view::npos) {
            std::string declaration(s);
            while (!declaration.ends_with(';') && at < text.size())
                declaration += trimmed(code_of(next_line()));
            declaration.pop_back();
            (void)declare(declaration, variables_);
        }
    }
}

Function *Module::find(std::string_view name) {
    const auto found = functions_.find(name);
    if (found == functions_.end())
        return nullptr;
    if (!found->second.is_decoded) {
        found->second.is_decoded = true; // it may call itself
        ptx::decode(found->second);
    }
    return &found->second;
}

Variable *Module::variable(std::string_view name) {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
}

} // namespace ptx
