// SPDX-License-Identifier: Apache-2.0

/// What was received, and how far it was off schedule.
struct LoadReport {
    var completed = 0
    var mostConcurrent = 0
    var bytes = 0
    var wrongSizes = 0
    /// The number of reads timed by this program because the kernel reported no time.
    var wakeUpTimes = 0
    var connectSeconds = 0.0
    var seconds = 0.0
    /// The share of one core that this program used during the streams. If it is near 1, the client was the bottleneck.
    var cpuShare = 0.0
    /// The timing error of each chunk in milliseconds; negative if a chunk arrived early.
    private var errors: [Float] = []

    /// Records a chunk that arrived `elapsed` nanoseconds after the head.
    mutating func note(chunk: Int, size: Int, elapsed: Int64, _ options: Options) {
        bytes += size
        if size != options.bytes { wrongSizes += 1 }
        errors.append(Float(Double(elapsed) / 1e6 - Double(chunk + 1) * options.intervalMilliseconds))
    }

    /// The report as lines, or as one row of a Markdown table.
    func text(_ options: Options) -> String {
        let sizes = errors.map(abs).sorted()
        func percentile(_ part: Double) -> String {
            sizes.isEmpty ? "-" : Self.milliseconds(sizes[min(sizes.count - 1, Int(Double(sizes.count) * part))])
        }
        let percentiles = [0.5, 0.9, 0.99, 0.999, 1].map(percentile)
        if options.printsRow {
            return "| \(completed) of \(options.connections) | \(percentiles.joined(separator: " | ")) |"
        }
        return """
            streams    \(completed) of \(options.connections) complete, at most \(mostConcurrent) at once
            chunks     \(errors.count) of \(options.connections * options.chunks), \(bytes) bytes, \
            \(wrongSizes) of another size than \(options.bytes)
            error ms   p50 \(percentiles[0])  p90 \(percentiles[1])  p99 \(percentiles[2])  \
            p99.9 \(percentiles[3])  max \(percentiles[4])  earliest \(Self.milliseconds(errors.min() ?? 0))
            time       \(Self.milliseconds(Float(seconds))) s, connecting \(Self.milliseconds(Float(connectSeconds))) s
            client     \(Int(cpuShare * 100)) % of a core, \(wakeUpTimes) reads timed by wake-up
            """
    }

    private static func milliseconds(_ value: Float) -> String {
        String((value * 100).rounded() / 100)
    }
}
