// SPDX-License-Identifier: Apache-2.0
// A run-time compiler takes the kernels: NVRTC, which has no host and no standard library.
#include <doctest/doctest.h>
#include <nvrtc.h>

#include <string>
#include <vector>

namespace {

// What kernels use of the standard library, which libcu++ has for GPUs. What is not here is not
// found.
const char *const standard_headers[] = {"bit",     "concepts",    "cstddef",
                                        "cstdint", "type_traits", "utility"};
std::string forwarded(const std::string &header) {
    return "#pragma once\n#include <cuda/std/" + header +
           ">\nnamespace std {\nusing namespace cuda::std;\n}\n";
}
const char *const cfloat = R"(#pragma once
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP 128
#define DBL_MANT_DIG 53
#define DBL_MAX_EXP 1024
#define LDBL_MANT_DIG DBL_MANT_DIG
#define LDBL_MAX_EXP DBL_MAX_EXP
)";

struct Compiled {
    bool good = false;
    std::string log;
    std::string ptx;
    std::vector<std::string> names; // of the kernels in the PTX
};

Compiled compile(const std::string &source, const std::vector<std::string> &kernels) {
    std::vector<std::string> contents;
    std::vector<const char *> names(std::begin(standard_headers), std::end(standard_headers));
    for (const char *name : names)
        contents.push_back(forwarded(name));
    contents.emplace_back(cfloat);
    names.push_back("cfloat");
    std::vector<const char *> texts;
    for (const std::string &content : contents)
        texts.push_back(content.c_str());

    Compiled result;
    nvrtcProgram program = nullptr;
    REQUIRE(nvrtcCreateProgram(&program, source.c_str(), "kernels.cu",
                               static_cast<int>(texts.size()), texts.data(),
                               names.data()) == NVRTC_SUCCESS);
    for (const std::string &kernel : kernels)
        REQUIRE(nvrtcAddNameExpression(program, kernel.c_str()) == NVRTC_SUCCESS);
    const char *const options[] = {"-std=c++20", "-default-device", "-arch=compute_90",
                                   WARPINT_TEST_INCLUDES};
    result.good = nvrtcCompileProgram(program, static_cast<int>(std::size(options)), options) ==
                  NVRTC_SUCCESS;
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    result.log.resize(size);
    nvrtcGetProgramLog(program, result.log.data());
    if (result.good) {
        nvrtcGetPTXSize(program, &size);
        result.ptx.resize(size);
        nvrtcGetPTX(program, result.ptx.data());
        for (const std::string &kernel : kernels) {
            const char *name = nullptr;
            nvrtcGetLoweredName(program, kernel.c_str(), &name);
            result.names.emplace_back(name != nullptr ? name : "");
        }
    }
    nvrtcDestroyProgram(&program);
    return result;
}

} // namespace

TEST_CASE("NVRTC compiles a kernel of every kind") {
    std::vector<std::string> kernels;
    const auto add = [&](const std::string &name, const std::string &arguments) {
        kernels.push_back("kinds::" + name + "<" + arguments + ">");
    };
    const std::string large = "kinds::tuning::Slot::large, ";
    const auto in_threads = [&](const std::string &formula, const std::string &targets) {
        add("formula_kernel", large + "kinds::" + formula + ", " + targets);
    };
    in_threads("Sum", "kinds::N256");
    in_threads("SignedSum", "kinds::S128");
    in_threads("ProductModulo", "kinds::N512");
    in_threads("ProductModuloShared", "kinds::N256");
    in_threads("QuotientAndRemainder", "kinds::N256, kinds::N256");
    in_threads("Power", "kinds::N256");
    in_threads("Gcd", "kinds::N256");
    in_threads("IsPrime", "bool");
    in_threads("SquareRootOf", "kinds::N256");
    in_threads("Gathered", "kinds::N256");
    in_threads("GatheredFromShards", "kinds::N256");
    in_threads("Named", "kinds::N512");
    in_threads("Rows", "kinds::InLimbRows<kinds::N256>");
    in_threads("Residues", "kinds::Form");
    in_threads("Line", "kinds::N256");
    in_threads("Bytes", "kinds::N256");
    in_threads("Byte", "std::uint8_t");
    in_threads("Fits", "bool");

    add("formula_kernel", large + "kinds::LongSum, kinds::N4096");
    add("formula_kernel", large + "kinds::LongProduct, kinds::N4096");
    add("formula_kernel", large + "kinds::LongPower, kinds::N2048");
    add("formula_kernel", "kinds::tuning::Slot::small, kinds::LongPower, kinds::N2048");
    add("strip_per_thread_kernel", "kinds::InverseOfAll, kinds::N256");

    add("reduce_kernel", "kinds::SumReducer<kinds::Sum::value_type>, kinds::Sum");
    add("reduce_kernel", "kinds::ExtremeReducer<kinds::S128, true>, kinds::Of<kinds::S128>");
    add("reduce_kernel", "kinds::ProductReducer<kinds::N256, 256>, kinds::Of<kinds::N256>");
    add("reduce_kernel", "kinds::CountReducer<bool>, kinds::LongComparison");
    add("sum_columns_kernel", "false");
    add("sum_columns_kernel", "true");

    for (const char *function : {"TakeWindows", "FirstPositions", "EqualNeighbours", "Reorder",
                                 "WritePositions", "Sample", "MarksFrom", "MarksInto", "WriteText"})
        add("for_each_kernel", std::string("kinds::") + function);
    add("describe_kernel", "kinds::Program");
    add("formula_kernel", large + "kinds::Program::Tree, kinds::Program::Result");
    add("partition_kernel", "kinds::N256, false");
    add("partition_kernel", "kinds::N256, true");
    add("containers::write_text_kernel", "kinds::containers::TextTree");
    add("containers::read_text_kernel", "kinds::containers::TextTree");

    const Compiled compiled = compile("#include <compiler/nvrtc/kernels.h>\n", kernels);
    CHECK_MESSAGE(compiled.log.find("warning") == std::string::npos, compiled.log);
    REQUIRE_MESSAGE(compiled.good, compiled.log);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        CAPTURE(kernels[i]);
        REQUIRE(!compiled.names[i].empty());
        CHECK(compiled.ptx.find(".entry " + compiled.names[i] + "(") != std::string::npos);
    }
    // Nothing is called that is not there.
    CHECK(compiled.ptx.find(".extern .func") == std::string::npos);
}

TEST_CASE("What hosts have is not there") {
    for (const char *source :
         {"#include <string>\n", "#include <warpint/vector.h>\n",
          "#include <warpint/bigint.h>\nauto x = warpint::BigInt<64>::parse(\"1\");\n",
          "__device__ void f() { throw 1; }\n"}) {
        CAPTURE(source);
        CHECK(!compile(source, {}).good);
    }
    CHECK(compile("#include <warpint/bigint.h>\n", {}).good);
    CHECK(compile("#define WARPINT_ASSERTIONS 1\n#include <compiler/nvrtc/kernels.h>\n", {}).good);
}
