// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseRedaction
import RepriseText

/// Redacting bodies. Each sample redacts one megabyte in pieces of 16 KiB, so the throughput is in megabytes per
/// second. The bodies contain no secret, like most bodies.
func redactionBenchmarks() {
    let json = #"{"id":12,"user_name":"Item 12, \"quoted\" and café","price":12.50,"tags":["new","sale"]},"#
    let text = "The quick brown fox number 12 jumps over the lazy dog, and so on; it costs 5-6 euros.\n"
    let words = [
        "The", " quick", " brown", " fox", " jumps", " over", " the", " lazy", " dog", ",", " and", " so", " on", ".",
    ]
    let events = words.map { "data: {\"id\":12,\"choices\":[{\"delta\":{\"content\":\"\($0)\"}}]}\n\n" }
    var generator = SystemRandomNumberGenerator()
    let binary = (0..<1_000_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    measure("JSON", "application/json", megabyte(of: json))
    measure("text", "text/plain", megabyte(of: text))
    measure("form", "application/x-www-form-urlencoded", megabyte(of: "name=some+text&number=12&"))
    measure("events", "text/event-stream", megabyte(of: events.joined()))
    measure(
        "events that end with CR LF",
        "text/event-stream",
        megabyte(of: events.joined().replacing("\n", with: "\r\n"))
    )
    measure("binary", "application/octet-stream", binary)
}

private func measure(_ name: String, _ type: String, _ body: [UInt8]) {
    let pieces = inChunks(body)
    let headers = [HeaderLine(name: "Content-Type", value: type)]
    Benchmark("Redaction, \(name), 1 MB", configuration: megabytes) { benchmark in
        for _ in benchmark.scaledIterations {
            var redactor = Redaction.standard.bodyRedactor(for: headers)
            for piece in pieces { blackHole(try redactor.append(piece)) }
            blackHole(try redactor.finish())
        }
    }
}

private func megabyte(of text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    return Array(repeatElement(utf8, count: 1_000_000 / utf8.count).joined())
}
