// SPDX-License-Identifier: Apache-2.0
// process_group: the processes that distributed vectors lie on, the GPUs of each, and how they
// agree on errors.
//
// Each GPU of each process is a place, in the order of processes and of the GPUs of each. A piece
// of a vector lies on each place. Pieces of one process are those of a sharded vector: what runs on
// them is the same text (vector/shards.h). Only what the ranks agree on is by rank.
//
// Before anything is sent, all ranks exchange one small record each (agree()): what they are about
// to do, or that they failed, or that they have left. So a rank that failed never leaves the others
// waiting: they learn of it from the next record. A formula sends nothing; a rank where one failed
// throws at once and says so in its next record.
#pragma once

#include "direct.h"
#include "transport.h"
#if WARPINT_CUDA && WARPINT_NCCL
#include "nccl.h"
#endif

#include "../execution/memory/backend.h"
#include "../vector/device_group.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace warpint {
namespace message_passing {

// What a rank calls, with the arguments that must be the same on all ranks, in one number.
class Call {
public:
    template <class... Argument>
    explicit Call(const char *name, Argument... arguments) {
        for (; *name != 0; ++name)
            mix(static_cast<unsigned char>(*name));
        (mix(static_cast<std::uint64_t>(arguments)), ...);
    }
    [[nodiscard]] std::uint64_t number() const { return number_; }

private:
    void mix(std::uint64_t x) {
        number_ = (number_ ^ x) * 0x9e3779b97f4a7c15u;
        number_ ^= number_ >> 29;
    }
    std::uint64_t number_ = 0;
};

// Where bytes begin and end: in host memory, or in that of pieces.
enum class Memory { host, pieces };

// What a function hands to other ranks: its value, or a number if it has none.
template <class Function>
using ValueOf = std::conditional_t<std::is_void_v<std::invoke_result_t<const Function &>>, int,
                                   std::invoke_result_t<const Function &>>;

// MPI for programs that have not initialised it: until the process ends. If it ends while groups
// are in use, as exit() in a task does, MPI is not finalised, and mpirun ends the other processes.
class Environment {
public:
    static void ensure() { static const Environment environment; }
    // Before any exchange: MPI itself would end the process.
    static void check_not_finalised() {
        int finalised = 0;
        check_mpi(MPI_Finalized(&finalised), "MPI_Finalized");
        if (finalised != 0)
            throw std::logic_error("warpint: a process_group after MPI_Finalize()");
    }
    static std::atomic<int> &groups_in_use() {
        static std::atomic<int> count{0};
        return count;
    }

private:
    Environment() {
        (void)groups_in_use();
        int initialised = 0;
        check_mpi(MPI_Initialized(&initialised), "MPI_Initialized");
        if (initialised == 0) {
            int provided = 0;
            check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided),
                      "MPI_Init_thread");
            is_own_ = true;
        }
    }
    ~Environment() {
        int finalised = 0;
        if (is_own_ && groups_in_use() == 0 && MPI_Finalized(&finalised) == MPI_SUCCESS &&
            finalised == 0)
            (void)MPI_Finalize();
    }
    bool is_own_ = false;
};

// The process among those of its machine.
class Node {
public:
    explicit Node(MPI_Comm group) {
        check_mpi(MPI_Comm_split_type(group, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &processes_),
                  "MPI_Comm_split_type");
        check_mpi(MPI_Comm_rank(processes_, &rank_), "MPI_Comm_rank");
        check_mpi(MPI_Comm_size(processes_, &size_), "MPI_Comm_size");
    }
    ~Node() { (void)MPI_Comm_free(&processes_); }
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    // This process's part of the cores that it may run on, some of which other processes of the
    // machine may run on too, and of the quotas of its control groups. At least 1.
    [[nodiscard]] unsigned share_of_cores() const {
        const double cores =
            std::min(share_of_affinity(),
                     static_cast<double>(execution::cpus_of_quotas()) / static_cast<double>(size_));
        // Whole cores, so that processes of equal shares have all cores together.
        constexpr double rounding = 1e-6;
        const auto before = static_cast<long>(cores * rank_ + rounding);
        const auto behind = static_cast<long>(cores * (rank_ + 1) + rounding);
        return static_cast<unsigned>(std::max(1L, behind - before));
    }

private:
    [[nodiscard]] double share_of_affinity() const {
#if defined(__linux__)
        constexpr std::size_t max_cores = 8192;
        std::vector<int> own(max_cores, 0), users(max_cores, 0);
        std::vector<unsigned long> mask(max_cores / (8 * sizeof(unsigned long)), 0);
        if (sched_getaffinity(0, mask.size() * sizeof(mask[0]),
                              reinterpret_cast<cpu_set_t *>(mask.data())) == 0) {
            for (std::size_t core = 0; core < max_cores; ++core) {
                constexpr std::size_t word_bits = 8 * sizeof(unsigned long);
                own[core] = static_cast<int>(mask[core / word_bits] >> (core % word_bits) & 1u);
            }
        }
        check_mpi(MPI_Allreduce(own.data(), users.data(), static_cast<int>(max_cores), MPI_INT,
                                MPI_SUM, processes_),
                  "MPI_Allreduce");
        double share = 0;
        for (std::size_t core = 0; core < max_cores; ++core) {
            if (own[core] != 0)
                share += 1.0 / users[core];
        }
        if (share > 0)
            return share;
#endif
        return static_cast<double>(execution::usable_cores()) / size_;
    }

    MPI_Comm processes_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

inline namespace WARPINT_BACKEND {
#if WARPINT_CUDA
using OwnGpu = execution::CurrentDevice;
#else
struct OwnGpu {
    explicit OwnGpu(Location) {}
};
#endif
} // namespace WARPINT_BACKEND

} // namespace message_passing

inline namespace WARPINT_BACKEND {

// The processes of an MPI communicator, of which each holds a piece of distributed vectors: on its
// GPU, or in host memory without one. Its GPU is that of its number among the processes of the
// machine, modulo the visible GPUs. A process that gives a device_group holds a piece on each of
// its members; processes may give different numbers of them, and these members of all processes, in
// their order, are the places of the group. The constructor makes the first GPU current. On the
// CPU, formulas use the process's share of the machine's cores, unless WARPINT_CPU_THREADS or
// set_cpu_threads() say otherwise. Copies of a group are the same group; it has a duplicate of the
// communicator.
//
// Constructor, destructor (of the last copy, and the last vector and formula on it), and every
// function that says so are collective: all ranks call them, in the same order, with the same
// arguments. Where ranks call different ones, all throw std::logic_error. An error that one rank
// meets is thrown there, and as remote_error by every other rank: in the same function if that is
// collective, else in the next collective one. Have both in one try block, so that the rank that
// failed leaves out that next function: it tells its error at whatever collective function it calls
// first, and then takes part in that. A rank that catches its own error alone and goes on to the
// same function as the others is one call behind them from then on. Such a group is of no use: let
// all ranks destroy it, with the vectors and formulas on it, and make another.
//
// Elements travel between GPUs as WARPINT_TRANSPORT in the environment says: "host" (through host
// memory, the default), "device" (MPI gets device pointers) or "nccl" (of programs that link
// warpint::nccl, whose default it is; where ranks share a GPU it is "host"). Those two take one GPU
// for each rank; of a process with several the default is "host". std::invalid_argument for other
// names, and for what the program, its MPI or its GPUs cannot do.
//
// MPI is initialised, with MPI_THREAD_MULTIPLE, and finalised at the end of the program unless the
// program does so; after that, constructors and collective functions throw std::logic_error.
// std::invalid_argument for MPI_COMM_NULL. Only one thread may use a group at a time. mpi_error if
// MPI fails.
class process_group {
    struct State;

public:
    process_group() : process_group(MPI_COMM_WORLD) {}
    explicit process_group(MPI_Comm communicator)
        : process_group(std::make_shared<State>(initialised(communicator)), nullptr) {}
    process_group(MPI_Comm communicator, const device_group &devices)
        : process_group(std::make_shared<State>(initialised(communicator)), &devices) {}

    // The number of this process, from 0 on, and of all processes.
    [[nodiscard]] int rank() const { return state_->transport.rank(); }
    [[nodiscard]] int size() const { return state_->transport.size(); }
    // Where the pieces of this process lie: one GPU, or the device_group that it gave.
    [[nodiscard]] const device_group &devices() const { return *state_->devices; }
    [[nodiscard]] Location location(std::size_t i = 0) const {
        return state_->devices ? devices().location(i) : Location{};
    }
    // The number of pieces of a vector: those of all processes.
    [[nodiscard]] std::size_t places() const { return state_->rank_of_place.size(); }
    // The number that piece i of this process has among them.
    [[nodiscard]] std::size_t place(std::size_t i = 0) const { return first_place_of(index()) + i; }
    // The process that has such a piece.
    [[nodiscard]] int rank_of(std::size_t place) const { return state_->rank_of_place[place]; }
    // How elements travel between pieces: by "host memory", "device pointers" or "NCCL".
    [[nodiscard]] const char *transport_name() const {
        return is_direct() ? state_->direct->name() : "host memory";
    }
    // Waits until all ranks are here. Collective.
    void barrier() const { (void)agree(message_passing::Call("barrier"), 0); }

    // Whether two groups have the same processes with the same GPUs in the same order.
    friend bool operator==(const process_group &a, const process_group &b) {
        if (a.state_ == b.state_)
            return true;
        if (a.state_->devices_of_ranks != b.state_->devices_of_ranks)
            return false;
        int result = MPI_UNEQUAL;
        message_passing::check_mpi(
            MPI_Comm_compare(a.transport().communicator(), b.transport().communicator(), &result),
            "MPI_Comm_compare");
        return result == MPI_CONGRUENT;
    }

    // ---- for this library

    [[nodiscard]] const message_passing::Transport &transport() const { return state_->transport; }
    [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(rank()); }
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(size()); }
    [[nodiscard]] std::size_t first_place_of(std::size_t rank) const {
        return state_->first_places[rank];
    }
    // For a number of each place, the sums of those of each rank.
    [[nodiscard]] std::vector<std::size_t> of_ranks(std::span<const std::size_t> places) const {
        std::vector<std::size_t> sums(count(), 0);
        for (std::size_t k = 0; k < places.size(); ++k)
            sums[static_cast<std::size_t>(rank_of(k))] += places[k];
        return sums;
    }

    // Exchanges a value of each rank, in the order of ranks. Throws on all ranks if one has failed
    // or left, or if they call different functions.
    template <class Value>
    [[nodiscard]] std::vector<Value> agree(const message_passing::Call &call,
                                           const Value &mine) const {
        static_assert(std::is_trivially_copyable_v<Value>);
        std::vector<Value> all(count());
        state_->agree(call.number(), &mine, sizeof(Value), all.data());
        return all;
    }
    // Calls what a collective function does before it exchanges something. If it throws, the others
    // learn of it there, in the same collective function.
    template <class Run>
    auto prepare(const Run &run) const {
        state_->check_usable();
        try {
            return alone(run);
        } catch (...) {
            state_->tell_failure();
            throw;
        }
    }
    // Prepares a value of each rank, and exchanges them as agree() does.
    template <class Run, class Value = message_passing::ValueOf<Run>>
    std::vector<Value> together(const message_passing::Call &call, const Run &run) const {
        if constexpr (std::is_void_v<std::invoke_result_t<const Run &>>) {
            prepare(run);
            return agree(call, Value{});
        } else {
            return agree(call, prepare(run));
        }
    }
    // Calls a function that sends nothing. If it throws, the others know by the next record.
    template <class Run>
    auto alone(const Run &run) const {
        try {
            const message_passing::OwnGpu current(location());
            return run();
        } catch (...) {
            state_->fail();
            throw;
        }
    }
    // Calls a function that sends. After a failure of MPI the group is of no use.
    template <class Send>
    void send(const Send &send) const {
        state_->use(send);
    }
    // Sends and receives at once, as Transport::exchange(), between memories of that kind. Of
    // pieces only if is_direct(); else their elements must be in host memory.
    void exchange(message_passing::Memory memory,
                  std::span<const message_passing::Outgoing> outgoing,
                  std::span<const message_passing::Incoming> incoming) const {
        send([&] {
            const message_passing::OwnGpu current(location());
            if (memory == message_passing::Memory::pieces && is_direct()) {
                state_->direct->exchange(outgoing, incoming);
            } else {
                transport().exchange(outgoing, incoming);
            }
        });
    }
    // Whether elements travel from piece to piece without host memory between.
    [[nodiscard]] bool is_direct() const { return state_->direct != nullptr; }
    // While it is there, the group cannot be used.
    class Task {
    public:
        explicit Task(const process_group &group) : in_task_{group.state_->in_task} {
            in_task_ = true;
        }
        ~Task() { in_task_ = false; }
        Task(const Task &) = delete;
        Task &operator=(const Task &) = delete;

    private:
        bool &in_task_;
    };

private:
    // The devices of a rank: how many, and a number for which they are.
    struct DevicesOfRank {
        std::size_t count = 0;
        std::uint64_t which = 0;
        friend bool operator==(const DevicesOfRank &, const DevicesOfRank &) = default;
    };
    enum class Status : std::uint64_t { ready, failed, left };
    struct Record {
        Status status = Status::ready;
        std::uint64_t call = 0;
        char value[176] = ""; // or the message of the exception
    };

    struct State {
        explicit State(MPI_Comm of) : transport(of) {
            const message_passing::Node node(transport.communicator());
            number_on_node = node.rank();
            execution::limit_default_cpu_threads(node.share_of_cores());
            message_passing::check_mpi(
                MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave, &key, nullptr),
                "MPI_Comm_create_keyval");
            // MPI_Finalize() deletes the attributes of this communicator first: a group that is
            // still there then leaves in time.
            message_passing::check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, this),
                                       "MPI_Comm_set_attr");
            ++message_passing::Environment::groups_in_use();
        }
        ~State() {
            int finalised = 1;
            if (MPI_Finalized(&finalised) != MPI_SUCCESS || finalised != 0)
                return;
            (void)MPI_Comm_delete_attr(MPI_COMM_SELF, key); // calls leave()
            (void)MPI_Comm_free_keyval(&key);
        }
        State(const State &) = delete;
        State &operator=(const State &) = delete;

        // Takes these devices, or a GPU if there is one.
        DevicesOfRank take(const device_group *given) {
            int own = 0;
#if WARPINT_CUDA
            const bool has_gpu = execution::device_location().on_gpu();
            if (has_gpu) {
                int visible = 0;
                execution::check_cuda(cudaGetDeviceCount(&visible), "warpint: cudaGetDeviceCount");
                own = number_on_node % visible;
            }
#endif
            devices.emplace(given != nullptr ? *given : device_group({own}));
#if WARPINT_CUDA
            if (has_gpu) {
                execution::check_cuda(cudaSetDevice(devices->location(0).device),
                                      "warpint: cudaSetDevice");
            }
#endif
            DevicesOfRank taken{devices->size(), 0};
            for (const Location &each : devices->locations())
                taken.which = message_passing::Call("", taken.which, each.device).number();
            return taken;
        }
        void number_places(std::vector<DevicesOfRank> all) {
            for (const DevicesOfRank &each : all) {
                const int rank = static_cast<int>(first_places.size());
                first_places.push_back(rank_of_place.size());
                rank_of_place.insert(rank_of_place.end(), each.count, rank);
            }
            devices_of_ranks = std::move(all);
        }

        void check_usable() const {
            if (in_task) {
                throw std::logic_error("warpint: a function of for_each_chunk() cannot use its "
                                       "process_group");
            }
            message_passing::Environment::check_not_finalised();
        }
        // Calls what uses MPI.
        template <class Use>
        void use(const Use &use) {
            check_usable();
            try {
                use();
            } catch (const mpi_error &) {
                is_broken = true;
                throw;
            }
        }
        [[nodiscard]] std::vector<Record> exchange(const Record &mine) {
            std::vector<Record> all(static_cast<std::size_t>(transport.size()));
            use([&] { transport.gather_all(&mine, sizeof(Record), all.data()); });
            return all;
        }

        // Notes the exception that is being handled. An error of MPI itself cannot be told.
        void fail() {
            if (failure.status == Status::failed || is_broken)
                return;
            failure.status = Status::failed;
            try {
                throw;
            } catch (const std::exception &error) {
                std::snprintf(failure.value, sizeof(failure.value), "%s", error.what());
            } catch (...) {
                std::snprintf(failure.value, sizeof(failure.value), "an unknown exception");
            }
        }
        void tell_failure() {
            if (failure.status != Status::failed || is_broken || in_task)
                return;
            const Record told = std::exchange(failure, Record{});
            (void)exchange(told);
        }

        void agree(std::uint64_t call, const void *value, std::size_t bytes, void *all_values) {
            tell_failure();
            Record mine;
            mine.call = call;
            const std::size_t short_bytes = std::min(bytes, sizeof(mine.value));
            std::memcpy(mine.value, value, short_bytes);
            const std::vector<Record> all = exchange(mine);
            check(all, call);
            if (bytes > short_bytes) {
                use([&] { transport.gather_all(value, bytes, all_values); });
                return;
            }
            for (std::size_t k = 0; k < all.size(); ++k)
                std::memcpy(static_cast<char *>(all_values) + k * bytes, all[k].value, bytes);
        }
        static void check(const std::vector<Record> &all, std::uint64_t call) {
            for (const Status status : {Status::failed, Status::left}) {
                for (std::size_t k = 0; k < all.size(); ++k) {
                    if (all[k].status != status)
                        continue;
                    const std::string message = status == Status::failed
                                                    ? " failed: " + std::string(all[k].value)
                                                    : " has left the process_group";
                    throw remote_error(static_cast<int>(k),
                                       "warpint: rank " + std::to_string(k) + message);
                }
            }
            for (const Record &each : all) {
                if (each.call != call) {
                    throw std::logic_error("warpint: the ranks of a process_group call different "
                                           "functions, or one with different arguments");
                }
            }
        }

        // Leaves with all others: those that still use the group throw remote_error.
        static int leave(MPI_Comm, int, void *group, void *) {
            State &state = *static_cast<State *>(group);
            if (state.is_broken)
                return MPI_SUCCESS;
            try {
                state.tell_failure();
                Record mine;
                mine.status = Status::left;
                for (bool others = true; others;) {
                    others = false;
                    for (const Record &each : state.exchange(mine))
                        others = others || each.status != Status::left;
                }
                state.direct.reset();
                state.transport.free();
                --message_passing::Environment::groups_in_use();
            } catch (...) { // there is nobody to tell
                state.is_broken = true;
            }
            return MPI_SUCCESS;
        }

        message_passing::Transport transport;
        std::unique_ptr<message_passing::DirectTransport> direct; // if there is one
        int number_on_node = 0;
        std::optional<device_group> devices;         // of this rank
        std::vector<DevicesOfRank> devices_of_ranks; // of all
        std::vector<std::size_t> first_places;       // of each rank
        std::vector<int> rank_of_place;
        int key = MPI_KEYVAL_INVALID;
        Record failure; // of which the others do not know yet
        bool is_broken = false;
        bool in_task = false;
    };

    process_group(std::shared_ptr<State> state, const device_group *devices)
        : state_{std::move(state)} {
        const message_passing::Call call("process_group");
        auto all = together(call, [&] { return state_->take(devices); });
        alone([&] { state_->number_places(std::move(all)); });
        choose_way(call,
                   together(call, [&] { return message_passing::offer_of(this->devices()); }));
    }
    void choose_way([[maybe_unused]] const message_passing::Call &call,
                    const std::vector<message_passing::Offer> &offers) {
        using namespace message_passing;
        if (test_transport != nullptr) {
            alone([&] { state_->direct = test_transport(transport()); });
            return;
        }
        [[maybe_unused]] const Way way = agreed_way(offers);
#if WARPINT_CUDA
        if (way == Way::device_pointers)
            alone([&] { state_->direct = std::make_unique<DevicePointers>(transport()); });
#if WARPINT_NCCL
        if (way == Way::nccl) {
            const auto ids =
                together(call, [&] { return rank() == 0 ? Nccl::make_id() : Nccl::Id{}; });
            together(call, [&] {
                state_->direct = std::make_unique<Nccl>(transport(), ids[0], location());
            });
        }
#endif
#endif
    }

    static MPI_Comm initialised(MPI_Comm communicator) {
        if (communicator == MPI_COMM_NULL) {
            throw std::invalid_argument("warpint: a process_group of MPI_COMM_NULL, which is what "
                                        "a process gets that is not in the communicator");
        }
        message_passing::Environment::ensure();
        message_passing::Environment::check_not_finalised();
        return communicator;
    }

    std::shared_ptr<State> state_;
};

} // namespace WARPINT_BACKEND
} // namespace warpint
