// SPDX-License-Identifier: Apache-2.0
// What instructions do, by their mnemonics in words ("add", "cc", "u32"); null for one not known.
#pragma once

#include "ptx.h"

#include <optional>

namespace ptx {

using Words = std::vector<std::string_view>;

Instruction::Run plain_instruction(const Words &words);
Instruction::Run comparison(const Words &words);
Instruction::Run access(std::string_view type, bool loads);
Instruction::Run atomic(const Words &words);
Instruction::Run run_move_of(std::string_view type);
std::optional<int> special_register(std::string_view name);
int together_kind(const Words &words); // below 0 if it is not known

void run_nothing(Thread &, const Instruction &);
void run_branch(Thread &, const Instruction &);
void run_indexed_branch(Thread &, const Instruction &);
void run_call(Thread &, const Instruction &);
void run_return(Thread &, const Instruction &);
void run_exit(Thread &, const Instruction &);
void run_trap(Thread &, const Instruction &);
void run_move(Thread &, const Instruction &);
void run_special(Thread &, const Instruction &);
void run_pack(Thread &, const Instruction &);
void run_unpack(Thread &, const Instruction &);
void run_address_of_parameter(Thread &, const Instruction &);
void run_active_mask(Thread &, const Instruction &);
void run_copy(Thread &, const Instruction &);
void run_copy_to_narrow(Thread &, const Instruction &);

} // namespace ptx
