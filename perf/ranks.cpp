// SPDX-License-Identifier: Apache-2.0
// warpint_perf_ranks: distributed vectors on the ranks of mpirun, beside one vector and a sharded
// vector on the same GPUs. See README.md.
//
//   mpirun -n 2 warpint_perf_ranks --json ranks.jsonl
//
// Without GPUs all places are the CPU's, and the figures say nothing of scaling.
#include <warpint/distributed.h>
#include <warpint/sort.h>
#include <warpint/text.h>
#include <warpint/version.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace warpint;

namespace {

using Wide = BigInt<2048>;
using Short = BigInt<64>;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// ---- places: what rank 0 does alone, and what all do

struct OneVector {
    static constexpr const char *kind = "one vector";
    static constexpr bool everywhere = false;
    template <class T>
    [[nodiscard]] device_vector<T> make(std::size_t count) const {
        return device_vector<T>(count);
    }
    void wait() const { execution::wait_for_device(execution::device_location()); }
    template <class Use>
    static void for_each_piece(const device_vector<Short> &vector, const Use &use) {
        use(vector);
    }
};
struct Shards {
    static constexpr const char *kind = "sharded";
    static constexpr bool everywhere = false;
    device_group group;
    template <class T>
    [[nodiscard]] sharded_vector<T> make(std::size_t count) const {
        return sharded_vector<T>(group, count);
    }
    void wait() const {
        for (const Location &location : group.locations())
            execution::wait_for_device(location);
    }
    template <class Use>
    static void for_each_piece(const sharded_vector<Short> &vector, const Use &use) {
        for (std::size_t i = 0; i < vector.group().size(); ++i)
            use(vector.shard(i));
    }
};
struct Ranks {
    static constexpr const char *kind = "ranks";
    static constexpr bool everywhere = true;
    process_group group;
    template <class T>
    [[nodiscard]] distributed_vector<T> make(std::size_t count) const {
        return distributed_vector<T>(group, count);
    }
    void wait() const {
        execution::wait_for_device(group.location());
        group.barrier();
    }
    template <class Use>
    static void for_each_piece(const distributed_vector<Short> &vector, const Use &use) {
        use(vector.local());
    }
};

// ---- one run of the program

struct Options {
    std::string json;
    bool smallest = false;
};

class Run {
public:
    explicit Run(const Options &options) : options_{options} {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        if (rank_ != 0)
            return;
        if (!options.json.empty()) {
            file_ = std::fopen(options.json.c_str(), "w");
            if (file_ == nullptr)
                throw std::runtime_error("cannot write " + options.json);
        }
        char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        MPI_Get_library_version(mpi, &length);
        *std::find_if(mpi, mpi + length, [](char c) { return c == ',' || c == '\n' || c == '"'; }) =
            0;
        device_ = "cpu";
        std::string gpu;
#if WARPINT_CUDA
        if (execution::device_location().on_gpu()) {
            cudaDeviceProp properties{};
            execution::check_cuda(cudaGetDeviceProperties(&properties, 0), "the GPU's name");
            device_ = "gpu";
            gpu = properties.name;
        }
#endif
        line("{\"run\":{\"program\":\"warpint_perf_ranks\",\"version\":\"" WARPINT_VERSION_STRING
             "\",\"mpi\":\"" +
             std::string(mpi) + "\",\"gpu\":\"" + gpu + "\",\"ranks\":" + std::to_string(ranks_) +
             "}}");
        std::printf("%d ranks, %s, %s\n", ranks_, mpi, gpu.empty() ? "no GPU" : gpu.c_str());
        std::printf("%-14s %5s %10s  %-11s %-16s %10s %12s %8s  %s\n", "operation", "width",
                    "count", "place", "elements by", "seconds", "rate", "of ideal", "check");
    }
    ~Run() {
        if (file_ != nullptr)
            std::fclose(file_);
    }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] std::size_t count(std::size_t full) const {
        return options_.smallest ? std::min<std::size_t>(full, 16) : full;
    }
    [[nodiscard]] bool is_wrong() const { return is_wrong_; }
    // False, on all ranks, when so much time has passed that nothing new should begin.
    [[nodiscard]] bool has_time() const {
        int answer = since(start_) < 75 ? 1 : 0;
        MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return answer == 1;
    }

    // Measures run(), on all ranks or on rank 0 only, after prepare() each time: the median of some
    // calls, on rank 0.
    template <class Place, class Prepare, class Body>
    double median(const Place &place, const Prepare &prepare, const Body &body) const {
        std::vector<double> times;
        int calls = 1;
        for (int call = -1; call < calls; ++call) { // the first one warms up
            prepare();
            place.wait();
            const auto start = Clock::now();
            body();
            place.wait();
            const double time = since(start);
            if (call >= 0)
                times.push_back(time);
            if (call == -1 && !options_.smallest)
                calls = static_cast<int>(std::clamp(0.6 / time, 1.0, 200.0));
            if (call == -1 && Place::everywhere)
                MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

    // Reports, on rank 0, `count` operations in `seconds`. check: what must be the same for this
    // operation and count at every place; "wrong" is wrong at any. of_ideal: a share; 0 if unknown.
    void report(const std::string &operation, int bits, std::size_t count, const std::string &kind,
                const std::string &by, double seconds, const std::string &check,
                double of_ideal = 0) {
        if (rank_ != 0)
            return;
        const std::string &expected =
            checks_.try_emplace(operation + "/" + std::to_string(count), check).first->second;
        const bool right = check == expected && check != "wrong";
        is_wrong_ = is_wrong_ || !right;
        const double rate = static_cast<double>(count) / seconds;
        std::printf("%-14s %5d %10zu  %-11s %-16s %10.3g %12.4g %8s  %s\n", operation.c_str(), bits,
                    count, kind.c_str(), by.c_str(), seconds, rate,
                    of_ideal == 0 ? "" : (std::to_string(of_ideal).substr(0, 5)).c_str(),
                    right ? "right" : "wrong");
        std::fflush(stdout);
        char numbers[200];
        std::snprintf(
            numbers, sizeof(numbers),
            ",\"width\":%d,\"count\":%zu,\"seconds\":%.6g,\"rate\":%.6g,\"of_ideal\":%.4f", bits,
            count, seconds, rate, of_ideal);
        line("{\"operation\":\"" + operation + "\",\"kind\":\"" + kind +
             "\",\"layout\":\"numbers\",\"by\":\"warpint\",\"device\":\"" + device_ +
             "\",\"ranks\":" + std::to_string(kind == Ranks::kind ? ranks_ : 1) +
             ",\"transport\":\"" + by + "\"" + numbers + ",\"check\":\"" +
             (right ? "right" : "wrong") + "\"}");
    }

private:
    void line(const std::string &text) {
        if (file_ != nullptr) {
            std::fprintf(file_, "%s\n", text.c_str());
            std::fflush(file_); // a run that is killed keeps what it has shown
        }
    }

    Options options_;
    Clock::time_point start_ = Clock::now();
    int rank_ = 0;
    int ranks_ = 1;
    std::FILE *file_ = nullptr;
    std::string device_;
    std::map<std::string, std::string> checks_;
    bool is_wrong_ = false;
};

// ---- what is measured

const Modulus<2048> &modulus() {
    static const Modulus<2048> m(Wide(0) - 1942289);
    return m;
}

// The counts: half of each still keeps a GPU busy for many waves of blocks. (50,000 powers do not:
// two GPUs are 1.70 times as fast as one.)
struct Pow {
    static constexpr const char *name = "pow(a, e, m)";
    static constexpr std::size_t count = 200'000;
    template <class V>
    static std::string run(V &c, const V &a, const V &b) {
        c = pow(a, b, modulus());
        return {};
    }
};
struct Multiply {
    static constexpr const char *name = "a * b % m";
    static constexpr std::size_t count = 4'000'000;
    template <class V>
    static std::string run(V &c, const V &a, const V &b) {
        c = a * b % modulus();
        return {};
    }
};
struct Sum {
    static constexpr const char *name = "sum(a)";
    static constexpr std::size_t count = 4'000'000;
    template <class V>
    static std::string run(V &, const V &a, const V &) {
        return to_string(sum(a));
    }
};

// One operation at one place. ideal: the seconds that it would take at best; 0 if unknown.
template <class Operation, class Place>
double measure(Run &run, const Place &place, std::size_t count, const char *by, double ideal) {
    auto a = place.template make<Wide>(count);
    auto b = place.template make<Wide>(count);
    auto c = place.template make<Wide>(count);
    a = pow(indices(count) + Wide(3), 1000003u, modulus());
    b = pow(indices(count) + Wide(7), 1000033u, modulus());
    std::string check;
    const double seconds = run.median(place, [] {}, [&] { check = Operation::run(c, a, b); });
    if (check.empty())
        check = to_string(sum(c));
    run.report(Operation::name, 2048, count, Place::kind, by, seconds, check, ideal / seconds);
    return seconds;
}

// Strong scaling: as many elements as one vector has. Weak scaling: so many for each rank.
template <class Operation>
void scale(Run &run, const Ranks &ranks) {
    if (!run.has_time())
        return;
    const std::size_t count = run.count(Operation::count);
    const auto n = static_cast<std::size_t>(run.ranks());
    double one = 0;
    if (run.rank() == 0)
        one = measure<Operation>(run, OneVector{}, count, "", 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const char *const by = ranks.group.transport_name();
    measure<Operation>(run, ranks, count, by, one / static_cast<double>(n));
    measure<Operation>(run, ranks, count * n, by, one);
    if (run.rank() == 0) {
        const Shards shards;
        measure<Operation>(run, shards, count, "", one / static_cast<double>(shards.group.size()));
        measure<Operation>(run, shards, count * n, "",
                           one * static_cast<double>(n) / static_cast<double>(shards.group.size()));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// "sum" and the least, middle and greatest element of what is sorted; "wrong" if it is not.
template <class Place, class Vector>
std::string check_sorted(const Vector &sorted) {
    bool right = true;
    Place::for_each_piece(sorted, [&](const device_vector<Short> &piece) {
        const std::vector<Short> values = piece.to_host();
        right = right && std::is_sorted(values.begin(), values.end());
    });
    if constexpr (Place::everywhere)
        right = all(distributed_vector<std::uint64_t>::from_local(
                        sorted.group(), std::vector<std::uint64_t>{right ? 1u : 0u}) == 1u);
    std::string text = to_string(sum(sorted));
    for (const std::size_t i : {std::size_t{0}, sorted.size() / 2, sorted.size() - 1})
        text += " " + to_string(sorted.read(i));
    return right ? text : "wrong";
}

template <class Place>
double measure_sort(Run &run, const Place &place, std::size_t count, const char *by, double ideal) {
    auto a = place.template make<Short>(count);
    auto b = place.template make<Short>(count);
    a = indices(count) * Short(0x9e3779b97f4a7c15u);
    const double seconds = run.median(place, [&] { b = a; }, [&] { sort(b); });
    run.report("sort(a)", 64, count, Place::kind, by, seconds, check_sorted<Place>(b),
               ideal / seconds);
    return seconds;
}

// All elements from the first member to the last, and back: the rate is elements a second of one
// way.
template <class Place>
void measure_redistribute(Run &run, const Place &place, std::size_t count, std::size_t members,
                          const char *by) {
    std::vector<std::size_t> first(members, 0), last(members, 0);
    first.front() = last.back() = count;
    auto a = place.template make<Short>(count);
    a = indices(count) * Short(0x9e3779b97f4a7c15u);
    a.redistribute(first);
    const double seconds = run.median(
                               place, [] {},
                               [&] {
                                   a.redistribute(last);
                                   a.redistribute(first);
                               }) /
                           2;
    run.report("redistribute", 64, count, Place::kind, by, seconds,
               to_string(sum(a)) + " " + to_string(a.read(count / 2)));
}

void run_all(Run &run) {
    {
        const Ranks ranks;
        scale<Pow>(run, ranks);
        scale<Multiply>(run, ranks);
        scale<Sum>(run, ranks);
        // The latency of a sum: one element on each rank.
        const auto n = static_cast<std::size_t>(run.ranks());
        auto a = ranks.make<Short>(n);
        a = indices(n) + Short(1);
        std::string check;
        constexpr int sums = 100; // of a call
        const auto several = [&] {
            for (int k = 0; k < sums; ++k)
                check = to_string(sum(a));
        };
        const double seconds = run.median(ranks, [] {}, several) / sums;
        run.report("sum of few", 64, n, Ranks::kind, ranks.group.transport_name(), seconds, check);
    }

    const std::size_t count = run.count(100'000'000);
    const auto n = static_cast<std::size_t>(run.ranks());
    double one = 0;
    if (run.rank() == 0) {
        one = measure_sort(run, OneVector{}, count, "", 0);
        const Shards shards;
        const auto members = static_cast<double>(shards.group.size());
        measure_sort(run, shards, count, "", one / members);
        measure_sort(run, shards, count * n, "", one * static_cast<double>(n) / members);
        measure_redistribute(run, shards, count, shards.group.size(), "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (const char *way : {"host", "device", "nccl"}) {
        if (!run.has_time())
            return;
        setenv("WARPINT_TRANSPORT", way, 1);
        try {
            const Ranks ranks;
            const std::string by = ranks.group.transport_name();
            if (std::string(way) != "host" && by == "host memory")
                throw std::invalid_argument("the ranks have no GPU each");
            measure_redistribute(run, ranks, count, n, by.c_str());
            measure_sort(run, ranks, count, by.c_str(), one / static_cast<double>(n));
            measure_sort(run, ranks, count * n, by.c_str(), one);
        } catch (const std::invalid_argument &error) {
            if (run.rank() == 0)
                std::printf("not by %s: %s\n", way, error.what());
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--smallest") == 0) {
            options.smallest = true;
        } else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            options.json = argv[++i];
        } else {
            std::printf("usage: mpirun -n RANKS warpint_perf_ranks [--json FILE] [--smallest]\n");
            return 2;
        }
    }
    try {
        const process_group until_the_end; // initialises MPI
        Run run(options);
        run_all(run);
        return run.is_wrong() ? 1 : 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "warpint_perf_ranks: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}
