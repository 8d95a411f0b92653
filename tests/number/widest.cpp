// Widths of 8192 bits; 32768 bits are in widest_*.cpp.
#include "widths.h"

namespace number_test {
namespace {

const Registration widest([] {
    add_unsigned<8192>();
#ifdef WARPINT_LONG_TESTS
    add_signed<8192>();
#endif
});

} // namespace
} // namespace number_test
