// SPDX-License-Identifier: Apache-2.0

import Benchmark

let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput],
        warmupIterations: 10,
        scalingFactor: .kilo,
        maxDuration: .seconds(2)
    )
    wireBenchmarks()
    indexBenchmarks()
    cassetteBenchmarks()
    redactionBenchmarks()
    eventBenchmarks()
    jsonLineBenchmarks()
    callBenchmarks()
    replayBenchmarks()
}
