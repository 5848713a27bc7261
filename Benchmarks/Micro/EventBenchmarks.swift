// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Reprise

/// Streams of events. Each sample decodes one megabyte in chunks of 16 KiB, so the throughput is in megabytes per
/// second.
///
/// The cost of a small event is mostly that of its String. The streams without known fields show the cost of finding
/// lines and fields alone.
func eventBenchmarks() {
    for size in [30, 200, 4000] {
        let chunks = eventStream(field: "data", size: size)
        let unknown = eventStream(field: "note", size: size)
        let name = "\(size)-byte events, 1 MB"
        measure("Events, \(name), decoder") { decode(chunks) }
        measure("Events, \(name), decoder, no field known") { decode(unknown) }
        measure("Events, \(name), byte by byte") { decodeByteByByte(chunks) }
        measure("Events, \(name), byte by byte, no field known") { decodeByteByByte(unknown) }
        Benchmark("Events, \(name), events()", configuration: megabytes) { benchmark in
            for _ in benchmark.scaledIterations {
                var length = 0
                for try await event in MemoryChunks(chunks: chunks).events() { length += event.data.utf8.count }
                blackHole(length)
            }
        }
        measure("Lines, \(name), decoder") { countLines(chunks) }
    }
}

/// The configuration of benchmarks whose samples are one megabyte each.
var megabytes: Benchmark.Configuration { .init(scalingFactor: .one, maxDuration: .seconds(2)) }

/// Chunks in memory.
struct MemoryChunks: AsyncSequence {
    let chunks: [[UInt8]]

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...])
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async -> [UInt8]? {
            rest.popFirst()
        }

        @available(macOS 15, *)
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            rest.popFirst()
        }
    }
}

/// Splits `bytes` into chunks of 16 KiB.
func inChunks(_ bytes: [UInt8]) -> [[UInt8]] {
    let size = 16 << 10
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

private func measure(_ name: String, _ body: @escaping () -> Int) {
    Benchmark(name, configuration: megabytes) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(body()) }
    }
}

private func eventStream(field: String, size: Int) -> [[UInt8]] {
    var bytes: [UInt8] = []
    var number = 0
    while bytes.count < 1_000_000 {
        // The lengths vary so that line ends occur at every offset within a machine word.
        let text = String(repeating: "abcdefgh", count: size / 8) + String(repeating: "i", count: number * 7 % 9)
        bytes += Array("\(field): \(text)\n\n".utf8)
        number += 1
    }
    return inChunks(bytes)
}

private func decode(_ chunks: [[UInt8]]) -> Int {
    var decoder = ServerSentEventDecoder()
    var length = 0
    for chunk in chunks {
        decoder.append(chunk)
        while let event = try! decoder.next() { length += event.data.utf8.count }
    }
    return length
}

private func countLines(_ chunks: [[UInt8]]) -> Int {
    var decoder = LineDecoder()
    var length = 0
    for chunk in chunks {
        decoder.append(chunk)
        while let line = try! decoder.nextBytes() { length += line.count }
    }
    return length
}

private func decodeByteByByte(_ chunks: [[UInt8]]) -> Int {
    var decoder = ByteByByteDecoder()
    var length = 0
    for chunk in chunks {
        for byte in chunk {
            if let event = decoder.consume(byte) { length += event.data.utf8.count }
        }
    }
    return length
}

/// A straightforward decoder that reads one byte at a time: it collects a line in a buffer and splits it into fields.
private struct ByteByByteDecoder {
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var id = ""
    private var wasReturn = false

    mutating func consume(_ byte: UInt8) -> ServerSentEvent? {
        let isSecondHalf = wasReturn && byte == 0x0A
        wasReturn = byte == 0x0D
        if isSecondHalf { return nil }
        if byte != 0x0A, byte != 0x0D {
            line.append(byte)
            return nil
        }
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        setField(line[..<colon], value)
        return nil
    }

    private mutating func setField(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if name.elementsEqual("data".utf8) {
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            id = String(decoding: value, as: UTF8.self)
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            data.removeAll(keepingCapacity: true)
            hasData = false
            type = ""
        }
        guard hasData else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return ServerSentEvent(name: type.isEmpty ? "message" : type, data: text, id: id)
    }
}
