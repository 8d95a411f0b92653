// SPDX-License-Identifier: Apache-2.0
// A list in the body of a function, a statement GRID_CASE(places, expression) for each case: the
// body has its operands by the names of their roles. GRID_LIST names the list.
#define GRID_GROUP
#define GRID_CASE1(Name, where, kinds, r1, ...) GRID_CASE(where, __VA_ARGS__)
#define GRID_CASE2(Name, where, kinds, r1, r2, ...) GRID_CASE(where, __VA_ARGS__)
#define GRID_CASE3(Name, where, kinds, r1, r2, r3, ...) GRID_CASE(where, __VA_ARGS__)
#define GRID_CASE4(Name, where, kinds, r1, r2, r3, r4, ...) GRID_CASE(where, __VA_ARGS__)
#include GRID_LIST
#undef GRID_GROUP
#undef GRID_CASE1
#undef GRID_CASE2
#undef GRID_CASE3
#undef GRID_CASE4
#undef GRID_CASE
#undef GRID_LIST
