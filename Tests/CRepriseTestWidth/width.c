// SPDX-License-Identifier: Apache-2.0

#include "width.h"

#include <stdlib.h>

// Swift Testing starts all tests at once by default. With thousands of tests on two cores, the second step of a test
// then waits behind the first steps of all others, for longer than the time limits of the clients under test. Swift
// Testing reads the limit from the environment only, so this sets it before the first test starts.
__attribute__((constructor)) static void limit_parallel_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0);
}
