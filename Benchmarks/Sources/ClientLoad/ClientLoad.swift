// SPDX-License-Identifier: Apache-2.0

// Measures one HTTP client against a running server. Each client runs in its own process, so that CPU time and memory
// can be attributed to it. Prints one line with the client, the measurement, and the figures, separated by tabs.

import Foundation

@main
struct ClientLoad {
    static func main() async throws {
        let options = try Options(CommandLine.arguments.dropFirst())
        let subject = try options.client.makeSubject(url: options.url, concurrency: options.concurrency)
        switch options.measure {
        case .requests: try await requests(subject, options)
        case .download: try await download(subject, options)
        }
        await subject.shutDown()
        exit(0)
    }

    /// Sends small requests from `concurrency` tasks for `seconds`.
    private static func requests(_ subject: any Subject, _ options: Options) async throws {
        // Warm up: connections, pools, and lazily created tables must exist before the measurement starts.
        _ = try await run(subject, concurrency: options.concurrency, seconds: 0.3)
        let before = ProcessUsage()
        let start = ContinuousClock.now
        let count = try await run(subject, concurrency: options.concurrency, seconds: options.seconds)
        let elapsed = start.duration(to: .now) / .seconds(1)
        let used = ProcessUsage().cpuSeconds - before.cpuSeconds
        print(
            options.client.rawValue,
            "requests",
            options.concurrency,
            String(format: "%.0f", Double(count) / elapsed),
            String(format: "%.2f", used / Double(count) * 1e6),
            String(format: "%.1f", ProcessUsage.peakMebibytes),
            separator: "\t"
        )
    }

    private static func run(_ subject: any Subject, concurrency: Int, seconds: Double) async throws -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        try await subject.get()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Reads one large response chunk by chunk.
    private static func download(_ subject: any Subject, _ options: Options) async throws {
        let before = ProcessUsage()
        let start = ContinuousClock.now
        let bytes = try await subject.download()
        let elapsed = start.duration(to: .now) / .seconds(1)
        let used = ProcessUsage().cpuSeconds - before.cpuSeconds
        let mebibytes = Double(bytes) / 1_048_576
        print(
            options.client.rawValue,
            "download",
            bytes,
            String(format: "%.0f", mebibytes / elapsed),
            String(format: "%.2f", used / mebibytes * 1e3),
            String(format: "%.1f", ProcessUsage.peakMebibytes),
            separator: "\t"
        )
    }
}
