// SPDX-License-Identifier: Apache-2.0
// Tables that a run of a formula reads in memory (expression/prepare.h), and where: on a GPU in a
// copy, made at the first use there and kept with the table. A copy is given back behind the work
// that reads it, as a vector's memory is.
#pragma once

#include "../../expression/prepare.h"
#include "copies.h"
#include "operands.h"

#include <mutex>

namespace warpint::execution::inline WARPINT_BACKEND {

// Those of one run, on a stream of the device that is current. It outlives the launch.
class TablesInUse final : public expression::TablesOfRun {
public:
    TablesInUse(Location location, stream_handle stream) : location_{location}, stream_{stream} {}
    ~TablesInUse() {
        if (!copies_.empty())
            note_uses();
    }
    TablesInUse(const TablesInUse &) = delete;
    TablesInUse &operator=(const TablesInUse &) = delete;

    const std::uint32_t *use(const std::shared_ptr<expression::SharedTable> &table) override {
        tables_.push_back(table);
#if WARPINT_CUDA
        if (location_.on_gpu()) {
            // A graph may run for as long as the program does, and so lasts the copy that it reads.
            if (is_capturing(stream_)) {
                const std::vector<std::uint32_t> limbs = filled(*table);
                return static_cast<const std::uint32_t *>(
                    kept_copy(location_.device, limbs.data(), limbs.size() * 4));
            }
            const std::shared_ptr<Storage> copy = copy_of(*table);
            uses_of(*copy).order_before(location_.device, stream_, false);
            copies_.push_back(copy);
            return static_cast<const std::uint32_t *>(copy->data);
        }
#endif
        return nullptr;
    }

private:
    // What cannot be noted is waited for.
    WARPINT_COLD void note_uses() noexcept {
#if WARPINT_CUDA
        const bool is_legacy = execution::is_legacy(stream_);
        try {
            const auto event = is_legacy ? nullptr : record(location_.device, stream_);
            for (const std::shared_ptr<Storage> &copy : copies_) {
                std::list<StreamUse> work;
                if (!is_legacy)
                    work.push_back({event, number_of(stream_), false});
                uses_of(*copy).order_after(std::move(work), false);
            }
        } catch (...) {
            cudaStreamSynchronize(stream_);
            cudaGetLastError();
        }
#endif
    }
#if WARPINT_CUDA
    // The table for kernels, by all cores.
    [[nodiscard]] static std::vector<std::uint32_t> filled(const expression::SharedTable &table) {
        std::vector<std::uint32_t> limbs(table.size_in_kernels);
        table.begin_for_kernels(limbs.data());
        for_each_block(static_cast<std::size_t>(table.parts), 1,
                       [&](std::size_t first, std::size_t last) {
                           for (std::size_t part = first; part != last; ++part)
                               table.fill_for_kernels(limbs.data(), static_cast<int>(part));
                       });
        return limbs;
    }
    [[nodiscard]] std::shared_ptr<Storage> copy_of(expression::SharedTable &table) const {
        for (const std::shared_ptr<void> &place : table.places) {
            auto copy = std::static_pointer_cast<Storage>(place);
            if (copy->location == location_)
                return copy;
        }
        const std::vector<std::uint32_t> limbs = filled(table);
        auto copy = make_storage(location_, limbs.size(), 4, nullptr);
        copy_from_host(*copy, 0, limbs.data(), limbs.size() * 4);
        table.places.push_back(copy);
        return copy;
    }
#endif

    Location location_;
    [[maybe_unused]] stream_handle stream_; // without CUDA
    std::vector<std::shared_ptr<expression::SharedTable>> tables_;
    std::vector<std::shared_ptr<Storage>> copies_;
};

} // namespace warpint::execution::inline WARPINT_BACKEND
