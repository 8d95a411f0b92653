#include <format>
#if !defined(__cpp_lib_format)
#error no
#endif
