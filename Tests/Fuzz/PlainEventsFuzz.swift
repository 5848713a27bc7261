// SPDX-License-Identifier: Apache-2.0

@testable import RepriseRedaction
@testable import RepriseText

/// An event stream is redacted as if each of its events were scanned, wherever it is cut.
///
/// Zero bytes separate the parts of the input. The first part is an event in which each `$` is a gap. The other parts
/// fill the gaps in order, in as many events as needed. Two events with a plain word in each gap come first, so that
/// the shape is learned.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlainEvents(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = input.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    guard let event = parts.first else { return 0 }
    let texts = event.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map { Array($0) }
    let gapCount = texts.count - 1
    guard gapCount > 0, parts.count > 1 else { return 0 }
    var values = [[UInt8]](repeating: Array("word".utf8), count: 2 * gapCount) + parts.dropFirst()
    values += [[UInt8]](repeating: Array("word".utf8), count: gapCount - values.count % gapCount)
    var body: [UInt8] = []
    for first in stride(from: 0, to: values.count, by: gapCount) {
        for (text, value) in zip(texts, values[first..<first + gapCount]) { body += text + value }
        body += texts[gapCount] + Array("\n\n".utf8)
    }
    var scanning = Redaction.standard
    scanning.skipsPlainEvents = false
    let scanned = redact(body, cuts: [], scanning)
    for cuts in inputCuts(body) {
        require(
            redact(body, cuts: cuts, .standard) == scanned,
            "cut at \(cuts): \(String(decoding: body, as: UTF8.self))"
        )
    }
    return 0
}

private func redact(_ body: [UInt8], cuts: [Int], _ redaction: Redaction) -> [UInt8]? {
    var redactor = redaction.bodyRedactor(for: [HeaderLine(name: "Content-Type", value: "text/event-stream")])
    var output: [UInt8] = []
    do throws(BodyRedactor.Unscannable) {
        for (start, end) in zip([0] + cuts, cuts + [body.count]) {
            for piece in try redactor.append(Array(body[start..<end])) { output += piece }
        }
        for piece in try redactor.finish().pieces { output += piece }
    } catch {
        return nil
    }
    return output
}
