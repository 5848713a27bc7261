// SPDX-License-Identifier: Apache-2.0

/// What came, and how far from its schedule.
struct LoadReport {
    var completed = 0
    var mostConcurrent = 0
    var bytes = 0
    var wrongSizes = 0
    /// Reads whose time is the program's own, because the kernel gave none.
    var wakeUpTimes = 0
    var connectSeconds = 0.0
    var seconds = 0.0
    /// The share of one core that this program took while the streams ran: near 1, the client is what was measured.
    var cpuShare = 0.0
    /// One for each chunk, in milliseconds; negative where a chunk came before its time.
    private var errors: [Float] = []

    /// Notes a chunk that came `elapsed` nanoseconds after the head.
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
