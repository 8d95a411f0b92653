// SPDX-License-Identifier: Apache-2.0
// Public keys and signatures as formulas over vectors. Compiled as CUDA where the build has it.
#include "engine.h"

#include <algorithm>
#include <array>

#include <warpint/vector.h>

#include "curve.h"
#include "device.h"

#if defined(__CUDACC__)
#include <cuda/std/tuple>
#else
#include <tuple>
#endif

namespace curves {
namespace {

using sample::OnDevice;
using sample::OnHost;
using warpint::batch_view;
using warpint::host_vector;
using warpint::indices;
using warpint::Space;

#if defined(__CUDACC__)
using cuda::std::tuple;
#else
using std::tuple;
#endif

// A point's compressed key.
template <class Field>
WARPINT_HOST_DEVICE CompressedKey compressed(const Field &x, const Field &y) {
    const CompressedKey sign = test_bit(y.value(), 0) ? 3 : 2;
    return sign << 256 | CompressedKey(x.value());
}

// Calls use(point) with the point that a key means, if there is one; else returns false. The square
// root is a power, because p = 3 mod 4 on both curves.
template <class Curve, class Use>
WARPINT_HOST_DEVICE bool with_point(const AnyKey &key, const Use &use) {
    using Field = typename Curve::Field;
    constexpr Number p = Field::modulus();
    const bool is_compressed = (key >> 512) != 4;
    if (is_compressed && (key >> 257) != 1)
        return false;
    const Number first(is_compressed ? key : key >> 256);
    if (first >= p)
        return false;
    const Field x = first;
    const Field square = y_squared<Curve>(x);
    Field y;
    if (is_compressed) {
        constexpr Number quarter = (p >> 2) + 1;
        y = pow(square, quarter);
        if (test_bit(y.value(), 0) != test_bit(key, 256))
            y = -y;
    } else {
        const Number second(key);
        if (second >= p)
            return false;
        y = second;
    }
    return sqr(y) == square && use(Affine<Curve>{x, y});
}

// The factors of G in a table of rows of `bits` bits.
struct TableFactor {
    int bits;
    WARPINT_HOST_DEVICE Number operator()(std::uint64_t at) const {
        const std::uint64_t row_length = (std::uint64_t{1} << bits) - 1;
        return Number(at % row_length + 1) << bits * static_cast<int>(at / row_length);
    }
};

// Coordinates of k G.
template <class Curve>
struct MultiplyGenerator {
    GeneratorTable<Curve> generator;

    WARPINT_HOST_DEVICE auto operator()(const Number &k) const {
        using Field = typename Curve::Field;
        const Point<Curve> p = generator.add_multiple(infinity<Curve>(), k);
        return tuple<Field, Field, Field>(p.x, p.y, p.z);
    }
};

template <class Field>
struct Compress {
    WARPINT_HOST_DEVICE CompressedKey operator()(const Field &x, const Field &y) const {
        return compressed(x, y);
    }
};

// The keys of many runs, limb by limb. On a GPU neighbouring threads write keys of one position in
// neighbouring runs; on a host a thread writes those of a run.
template <class Place>
struct RunKeys {
    static constexpr Space space = Place::gpu ? Space::device : Space::host;

    batch_view<CompressedKey, space, warpint::limb_major> keys;
    std::size_t runs, length; // keys of a run

    WARPINT_HOST_DEVICE void store(std::size_t run, std::size_t position,
                                   const CompressedKey &key) const {
        keys.store(Place::gpu ? position * runs + run : run * length + position, key);
    }
    // Key i of all, run by run.
    WARPINT_HOST_DEVICE CompressedKey load(std::size_t i) const {
        return keys.load(Place::gpu ? i % length * runs + i / length : i);
    }
};
template <class Place>
struct LoadKey {
    RunKeys<Place> keys;
    std::size_t first;
    WARPINT_HOST_DEVICE CompressedKey operator()(std::uint64_t i) const {
        return keys.load(first + i);
    }
};

// The keys around a centre C: C - 255 G ... C + 255 G, by one addition each. All share one
// inversion (Montgomery 1987, section 10.3.1), and C + i G shares its slope's divisor with C - i G:
// 4.5 products a key. No key of a run is infinite, and none is C's opposite.
template <class Curve, class Place>
struct Run {
    static constexpr int half = 255; // keys of a side: the table has that many in its first row
    static constexpr int length = 2 * half + 1;
    using Field = typename Curve::Field;

    GeneratorTable<Curve> generator;
    RunKeys<Place> keys;

    WARPINT_HOST_DEVICE bool operator()(std::uint64_t run, const Field &x, const Field &y) const {
        Field products[half]; // of the differences before it
        Field product = 1;
        for (int i = 1; i <= half; ++i) {
            products[i - 1] = product;
            product = product * (generator(0, i).x - x);
        }
        const auto inverse_of_all = inverse(product);
        if (!inverse_of_all)
            return false;
        Field inverse_of_rest = *inverse_of_all;
        keys.store(run, half, compressed(x, y));
        for (int i = half; i >= 1; --i) {
            const Affine<Curve> term = generator(0, i);
            const Field inverse_of_difference = inverse_of_rest * products[i - 1];
            inverse_of_rest = inverse_of_rest * (term.x - x);
            const auto at = static_cast<std::size_t>(i);
            keys.store(run, half + at, sum_of(x, y, term.x, (term.y - y) * inverse_of_difference));
            keys.store(run, half - at, sum_of(x, y, term.x, (-term.y - y) * inverse_of_difference));
        }
        return true;
    }

private:
    // The other point of the curve on the line through (x, y) and a point with second_x, reflected.
    WARPINT_HOST_DEVICE static CompressedKey sum_of(const Field &x, const Field &y,
                                                    const Field &second_x, const Field &slope) {
        const Field third_x = sqr(slope) - x - second_x;
        return compressed(third_x, slope * (x - third_x) - y);
    }
};

// Whether r is the x coordinate modulo n of u1 G + u2 Q, which need not leave projective
// coordinates for it.
template <class Curve>
struct Verify {
    GeneratorTable<Curve> generator;

    WARPINT_HOST_DEVICE bool operator()(const AnyKey &key, const Number &u1, const Number &u2,
                                        const Number &r) const {
        return with_point<Curve>(key, [&](const Affine<Curve> &q) {
            using Field = typename Curve::Field;
            constexpr Number p = Field::modulus();
            constexpr Number n = Curve::Scalar::modulus();
            const Point<Curve> sum = generator.add_multiple(multiple(u2, q), u1);
            return sum.z != 0 &&
                   (sum.x == Field(r) * sum.z || (r < p - n && sum.x == Field(r + n) * sum.z));
        });
    }
};

// A stream of the GPU: its copies and kernels run in order, and beside those of other streams. On
// the host work is done when it is given.
class Stream {
public:
    explicit Stream([[maybe_unused]] bool on_gpu) {
#if defined(__CUDACC__)
        if (on_gpu)
            require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#endif
    }
    ~Stream() {
#if defined(__CUDACC__)
        if (stream != nullptr) {
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        }
#endif
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    operator warpint::stream_handle() const { return stream; }

    void wait() const {
#if defined(__CUDACC__)
        if (stream != nullptr)
            require(cudaStreamSynchronize(stream));
#endif
    }

private:
#if defined(__CUDACC__)
    static void require(cudaError_t result) {
        if (result != cudaSuccess)
            throw sample::Error(std::string("the GPU failed: ") + cudaGetErrorString(result));
    }
#endif
    warpint::stream_handle stream{};
};

// Some signatures on their way from host memory to the answers there. Each slot has a stream: while
// one computes, another is filled and copied. Vectors keep their memory for the next signatures.
template <class Curve, class Place>
class Slot {
    template <class T>
    using Vector = typename Place::template Vector<T>;

public:
    std::size_t size() const { return valid.size(); }

    // Puts the work on signatures [first, first + count) on the stream. Does not wait for it, but
    // reads all that it needs of them.
    void start(const Signatures &all, std::size_t first, std::size_t count,
               const GeneratorTable<Curve> &generator) {
        stream.wait(); // for what an exception has left
        key.copy_in(all.key, first, count, stream);
        hash.copy_in(all.hash, first, count, stream);
        r.copy_in(all.r, first, count, stream);
        s.copy_in(all.s, first, count, stream);
        w.resize(count);
        u1.resize(count);
        u2.resize(count);
        valid.resize(count);
        compute(generator);
        answers.resize(count);
        copy_async(valid, answers, stream);
    }

    // Verifies the signatures that lie here.
    void compute(const GeneratorTable<Curve> &generator) {
        constexpr Number order = Curve::Scalar::modulus();
        const auto in_range =
            (r.numbers != 0) & (r.numbers < order) & (s.numbers != 0) & (s.numbers < order);
        evaluate(inverse(select(s.numbers % n == 0, Number(1), s.numbers), n), w, stream);
        evaluate(hash.numbers * w % n, u1, stream);
        evaluate(r.numbers * w % n, u2, stream);
        evaluate(in_range & map(Verify<Curve>{generator}, key.numbers, u1, u2, r.numbers), valid,
                 stream);
    }

    // Waits for the answers.
    const host_vector<bool> &finish() {
        stream.wait();
        answers.check();
        return answers;
    }

private:
    // A GPU copies from and to pinned memory by itself, while kernels and the host work.
    static warpint::memory_resource *host_memory() {
        return Place::gpu ? warpint::pinned_resource() : warpint::host_resource();
    }

    template <class T>
    struct Input {
        host_vector<T> pinned = host_vector<T>(host_memory());
        Vector<T> numbers;

        void copy_in(const std::vector<T> &all, std::size_t first, std::size_t count,
                     const Stream &on) {
            pinned.resize(count);
            numbers.resize(count);
            evaluate( // copies, with all cores
                batch_view<const T, Space::host>(all.data() + first, count), pinned);
            copy_async(pinned, numbers, on);
        }
    };

    warpint::Modulus<256> n{Curve::Scalar::modulus()};
    Input<AnyKey> key;
    Input<Number> hash, r, s;
    Vector<Number> w, u1, u2;
    Vector<bool> valid;
    host_vector<bool> answers = host_vector<bool>(host_memory());
    Stream stream{Place::gpu}; // the last one: ends first
};

template <class Curve, class Place>
class CurveEngine : public Engine {
    template <class T>
    using Vector = typename Place::template Vector<T>;
    using Field = typename Curve::Field;
    using Fields = Vector<Field>;
    using Numbers = Vector<Number>;
    using OneRun = Run<Curve, Place>;

public:
    CurveEngine() : runs(Place::gpu ? std::size_t{1} << 17 : 128) { make_generator_table(); }

    Number order() const override { return Curve::Scalar::modulus(); }

    std::vector<CompressedKey> public_keys(const std::vector<Number> &private_keys) override {
        const Numbers k(private_keys);
        multiply_generator(k);
        const Vector<CompressedKey> key = map(Compress<Field>{}, x, y);
        return key.to_host();
    }

    std::size_t consecutive_batch() const override { return runs * OneRun::length; }

    std::size_t consecutive(const Number &from, std::size_t count) override {
        // Whole runs. Those that would reach beyond the last key start earlier.
        constexpr std::size_t length = OneRun::length;
        const std::size_t used = std::min(runs, (count - 1) / length + 1);
        const Number last_start = order() - used * length;
        const Number start = from < last_start ? from : last_start;
        skipped = static_cast<std::size_t>(from - start);

        Numbers centre;
        centre = indices(used) * Number(length) + (start + OneRun::half);
        multiply_generator(centre);
        key_limbs.resize(used * length * CompressedKey::limb_count);
        keys = {{key_limbs.data(), used * length}, used, length};
        const Vector<bool> done = map(OneRun{table(), keys}, indices(used), x, y);
        if (!all(done))
            throw std::logic_error("consecutive keys: a run met a point at infinity");
        return std::min(count, used * length - skipped);
    }

    std::vector<CompressedKey> consecutive_keys(std::size_t first, std::size_t count) override {
        const Vector<CompressedKey> part =
            map(LoadKey<Place>{keys, skipped + first}, indices(count));
        return part.to_host();
    }

    std::vector<bool> verify(const Signatures &all, std::size_t first, std::size_t count) override {
        // Fills a GPU, or gives each core some hundred.
        const std::size_t part =
            Place::gpu ? std::size_t{1} << 17 : 256 * warpint::device_info().cpu_threads;
        const std::size_t parts = (count + part - 1) / part;
        std::vector<bool> result(count);
        // Part i goes to its slot when the answers of the part that was there have come.
        for (std::size_t i = 0; i != parts + slots.size(); ++i) {
            auto &slot = slots[i % slots.size()];
            if (i >= slots.size()) {
                const auto &answers = slot.finish();
                const auto at = static_cast<std::ptrdiff_t>((i - slots.size()) * part);
                std::copy(answers.begin(), answers.end(), result.begin() + at);
            }
            if (i < parts)
                slot.start(all, first + i * part, std::min(part, count - i * part), table());
        }
        return result;
    }

    std::size_t verify_held(std::size_t rounds) override {
        std::size_t count = 0;
        for (std::size_t round = 0; round != rounds; ++round) {
            for (auto &slot : slots) {
                slot.compute(table());
                count += slot.size();
            }
        }
        for (auto &slot : slots)
            slot.finish();
        return count;
    }

    bool on_gpu() const override { return Place::gpu; }

private:
    GeneratorTable<Curve> table() const { return {table_bits, table_x.data(), table_y.data()}; }

    // (x, y) = k G. On input: no k is a multiple of the order.
    void multiply_generator(const Numbers &k) {
        Fields z, z_inverse;
        tie(x, y, z) = map(MultiplyGenerator<Curve>{table()}, k);
        z_inverse = inverse(z);
        x = x * z_inverse;
        y = y * z_inverse;
    }

    void make_generator_table() {
        std::vector<Field> xs, ys, zs;
        Point<Curve> first = projective(Affine<Curve>{Curve::gx, Curve::gy});
        for (int row = 0; row < table().rows(); ++row) {
            Point<Curve> p = first;
            for (int i = 1; i <= table().row_length(); ++i, p = sum(p, first)) {
                xs.push_back(p.x);
                ys.push_back(p.y);
                zs.push_back(p.z);
            }
            first = p;
        }
        const Fields z(zs);
        const Fields z_inverse = inverse(z);
        table_x = Fields(xs) * z_inverse;
        table_y = Fields(ys) * z_inverse;
        if constexpr (Place::gpu)
            widen_generator_table(16);
        table_x.check(); // streams of others do not wait for these formulas
        table_y.check();
    }

    // Longer rows, from those that there are: a multiple of G takes fewer additions.
    void widen_generator_table(int bits) {
        const GeneratorTable<Curve> wide{bits, nullptr, nullptr};
        const auto size = static_cast<std::size_t>(wide.rows() * wide.row_length());
        multiply_generator(Numbers(map(TableFactor{bits}, indices(size))));
        swap(table_x, x);
        swap(table_y, y);
        table_bits = bits;
    }

    std::size_t runs;   // in a batch
    int table_bits = 8; // of a row
    Fields table_x, table_y;
    std::array<Slot<Curve, Place>, 2> slots;
    Fields x, y;
    Vector<std::uint32_t> key_limbs;
    RunKeys<Place> keys;
    std::size_t skipped = 0; // keys before those that were asked for
};

template <class Curve>
std::unique_ptr<Engine> make_engine_of(sample::Device device) {
    return sample::on_device(device, [](auto place) -> std::unique_ptr<Engine> {
        return std::make_unique<CurveEngine<Curve, decltype(place)>>();
    });
}

} // namespace

std::unique_ptr<Engine> make_engine(CurveName curve, sample::Device device) {
    return curve == CurveName::p256 ? make_engine_of<P256>(device)
                                    : make_engine_of<Secp256k1>(device);
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

} // namespace curves
