// warpint-info: prints what a bug report should quote: the version, the compilers, the device, and
// how typical formulas would run on it.
//
// This folder, src, holds the compiled parts of warpint; the library itself is headers only.
#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/vector.h>

#include <cstdio>
#include <exception>
#include <string>

using namespace warpint;

namespace {

void print(const char *name, const std::string &value) {
    std::printf("%-18s  %s\n", name, value.c_str());
}

void print_build() {
    print("warpint", WARPINT_VERSION);
#if defined(__clang__)
    print("compiler",
          "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__));
#elif defined(__GNUC__)
    print("compiler", "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__));
#endif
#if WARPINT_CUDA
    print("built with CUDA", "yes, toolkit " + std::to_string(CUDART_VERSION / 1000) + "." +
                                 std::to_string(CUDART_VERSION % 1000 / 10));
#else
    print("built with CUDA", "no");
#endif
}

void print_device() {
    const DeviceInfo info = device_info();
    print("device", info.name);
    if (info.gpu) {
        print("compute capability", std::to_string(info.compute_capability / 10) + "." +
                                        std::to_string(info.compute_capability % 10));
        print("multiprocessors", std::to_string(info.multiprocessors));
        print("memory", std::to_string(info.memory_bytes >> 20) + " MiB");
    }
    print("CPU threads", std::to_string(info.cpu_threads));
}

// How these run is decided by their types and the device; one element is enough.
void print_formulas() {
    const device_vector<BigInt<256>> a(1), b(1), e(1), m(1);
    std::printf("\nFormulas over vectors of BigInt<256>, bytes per element:\n");
    print("a + b", explain(a + b).to_string());
    print("a * b % m", explain(a * b % m).to_string());
    print("pow(a, e, m)", explain(pow(a, e, m)).to_string());
}

} // namespace

int main() {
    try {
        print_build();
        print_device();
        print_formulas();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "warpint-info: %s\n", error.what());
        return 1;
    }
}
