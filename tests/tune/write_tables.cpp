// SPDX-License-Identifier: Apache-2.0
// write_tables FOLDER: writes tables from invented measurements, for table_test.cpp.
#include "invented.h"

#include <tune/write_table.h>

#include <exception>
#include <fstream>
#include <iostream>

int main(int count, char **arguments) {
    try {
        if (count != 2)
            throw std::runtime_error("write_tables FOLDER");
        const auto write = [&](const std::vector<tune_test::Measurement> &measured, int capability,
                               const char *header, const char *name) {
            const double least = 0.03;
            std::ofstream file(std::string(arguments[1]) + "/" + header);
            file << perf::tune::table_text(perf::tune::choose(measured, least), capability,
                                           "an invented GPU", least, name);
            if (!file.flush())
                throw std::runtime_error("cannot write to " + std::string(arguments[1]));
        };
        write(tune_test::measured_on_grid(), 91, "sm_91.h", "Sm91");
        write(tune_test::measured_on_grid(), 91, "program_table.h", "ProgramTable");
        write(tune_test::measured_at_edges(), 92, "sm_92.h", "Sm92");
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
