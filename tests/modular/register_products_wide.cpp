// The same for wide moduli.
#include "cases.h"

namespace modular_test {
namespace {

const Registration register_products_wide([] { add_sums_of_products<521, 768, 1000, 1024>(); });

} // namespace
} // namespace modular_test
