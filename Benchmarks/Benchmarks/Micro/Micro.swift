// SPDX-License-Identifier: Apache-2.0

import Benchmark

let benchmarks: @Sendable () -> Void = {
    Benchmark("nothing", configuration: .init(metrics: [.wallClock, .cpuTotal, .throughput])) { benchmark in
        for i in benchmark.scaledIterations { blackHole(i) }
    }
}
