// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import Reprise

/// Newline-delimited JSON, compared with JSONDecoder on lines that are already split. Each sample decodes one megabyte.
func jsonLineBenchmarks() {
    for (name, tags) in [("80-byte lines", 1), ("1 kB lines", 64)] {
        var lines: [Data] = []
        var bytes: [UInt8] = []
        while bytes.count < 1_000_000 {
            let text = line(number: lines.count, tags: tags)
            lines.append(Data(text.utf8))
            bytes += Array(text.utf8) + [0x0A]
        }
        let chunks = inChunks(bytes)
        let whole = lines
        Benchmark("NDJSON, \(name), 1 MB, JSONDecoder alone", configuration: megabytes) { benchmark in
            let decoder = JSONDecoder()
            for _ in benchmark.scaledIterations {
                for line in whole { blackHole(try decoder.decode(Entry.self, from: line)) }
            }
        }
        Benchmark("NDJSON, \(name), 1 MB, decoder", configuration: megabytes) { benchmark in
            for _ in benchmark.scaledIterations {
                var decoder = JSONLineDecoder(as: Entry.self)
                for chunk in chunks {
                    decoder.append(chunk)
                    while let entry = try decoder.next() { blackHole(entry) }
                }
            }
        }
        Benchmark("NDJSON, \(name), 1 MB, ndjson(as:)", configuration: megabytes) { benchmark in
            for _ in benchmark.scaledIterations {
                for try await entry in MemoryChunks(chunks: chunks).ndjson(as: Entry.self) { blackHole(entry) }
            }
        }
    }
}

private struct Entry: Decodable {
    var id: Int
    var name: String
    var price: Double
    var tags: [String]
}

private func line(number: Int, tags: Int) -> String {
    let words = Array(repeating: "\"on offer \(number % 7)\"", count: tags).joined(separator: ",")
    return #"{"id":\#(number),"name":"Item \#(number)","price":\#(number % 100).25,"tags":[\#(words)]}"#
}
