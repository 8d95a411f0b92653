# SPDX-License-Identifier: Apache-2.0
# What the grid has of each width: <what>:<place>:<parts>, where grid/place_<place>.h has the function
# add_<what>, and nvcc takes it in so many parts, each some of the groups of numbers.def or residues.def. A part
# takes a core half a minute to two and a half. Those that take longest come first.
set(grid_sources
    kernels:kernels:4
    formulas:formulas:4
    residue_formulas:formulas:3
    static_formulas:formulas:3
    lanes:kernels:2
    residue_kernels:kernels:2
    static_kernels:kernels:1
    residue_lanes:kernels:1
    batches:batches:1)
