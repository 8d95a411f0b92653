# SPDX-License-Identifier: Apache-2.0
# What the grid has of each width: <what>:<place>:<parts>, where grid/place_<place>.h has the function
# add_<what>, and nvcc, which needs up to a minute for a part, takes it in so many parts.
set(grid_sources
    formulas:formulas:12
    signed_formulas:formulas:8
    static_formulas:formulas:4
    residue_formulas:formulas:4
    batches:batches:2
    kernels:kernels:4
    residue_kernels:kernels:4
    static_kernels:kernels:4
    signed_kernels:kernels:4
    lanes:kernels:6
    signed_lanes:kernels:4
    residue_lanes:kernels:2)
