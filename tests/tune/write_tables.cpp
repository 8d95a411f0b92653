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
        const auto write = [&](const std::vector<tune_test::Measurement> &measured,
                               int capability) {
            const double least = 0.03;
            std::ofstream file(std::string(arguments[1]) + "/sm_" + std::to_string(capability) +
                               ".h");
            file << perf::tune::table_text(perf::tune::choose(measured, least), capability,
                                           "an invented GPU", least);
            if (!file.flush())
                throw std::runtime_error("cannot write to " + std::string(arguments[1]));
        };
        write(tune_test::measured_on_grid(), 91);
        write(tune_test::measured_at_edges(), 92);
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
