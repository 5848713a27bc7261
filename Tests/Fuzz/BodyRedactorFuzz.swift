// SPDX-License-Identifier: Apache-2.0

@testable import RepriseDocuments
@testable import RepriseRedaction
@testable import RepriseText

/// Redacting any body terminates. However the body is cut, the output is the same and has one piece for each input
/// piece. The output contains no value that was removed before. If nothing is found, nothing is changed.
///
/// Only for JSON without escapes must a second redaction find nothing: in malformed quotes and escapes, a marker
/// changes how the text after it is read, so the second redaction removes more than the first.
///
/// The first byte selects the kind of body (see `kinds`), so that a seed stays of one kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBodyRedactor(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let headers = [HeaderLine(name: "Content-Type", value: kinds[Int(input[0]) % kinds.count])]
    let redaction = Int(input[0]) / kinds.count % 2 == 0 ? .standard : ownRedaction
    let body = Array(input.dropFirst())
    let whole = redact(body, cuts: [], headers, redaction)
    for cuts in inputCuts(body).dropFirst() {
        let output = redact(body, cuts: cuts, headers, redaction)
        require(output == whole, "cut at \(cuts)")
    }
    requireNoRepeats(body, headers, redaction)
    if let bytes = whole?.bytes, whole?.count == 0 { require(bytes == body, "changed bytes, but found no secret") }
    if isPlainJSON(body), let bytes = whole?.bytes, let again = redact(bytes, cuts: [], headers, redaction) {
        require(again.count == 0, "a secret in the redacted body")
    }
    return 0
}

private let kinds = [
    "text/plain", "application/json", "application/x-www-form-urlencoded", "text/event-stream", "application/x-ndjson",
    "multipart/form-data; boundary=b", "image/png", "text/html",
]

/// Whether the body is JSON without escapes.
private func isPlainJSON(_ body: [UInt8]) -> Bool {
    guard !body.contains(where: { "\\%&".utf8.contains($0) }) else { return false }
    var reader = JSONReader(body)
    while let token = try? reader.next() {
        if token == .end { return true }
    }
    return false
}

/// The values that were removed from earlier bodies.
private let removedBefore = ["hunter2", "secret#1", "abcdefghijkl"].map { Array($0.utf8) }

/// The output contains no secret that is known, and has the same text for a secret however the body is cut. Redacting
/// it again with the same table finds nothing that is listed.
private func requireNoRepeats(_ body: [UInt8], _ headers: [HeaderLine], _ redaction: Redaction) {
    for cuts in inputCuts(body) {
        let memory = SecretMemory()
        for value in removedBefore { memory.remember(value) }
        let standIns = StandIns(memory)
        let redactor = redaction.replacing(with: standIns).bodyRedactor(for: headers)
        guard let bytes = redact(body, cuts: cuts, redactor)?.bytes else { continue }
        for value in removedBefore {
            require(!occurs(value, in: bytes, headers), "contains a value that was removed before")
        }
        guard isPlainJSON(body) else { continue }
        let again = StandIns(listed: standIns.listed, keepsListed: true)
        let second = redact(bytes, cuts: [], redaction.replacing(with: again).bodyRedactor(for: headers))
        require(second?.bytes == bytes, "redacted its own stand-ins")
    }
}

/// Whether the value occurs between two word boundaries. In images, values with escapes are not looked for.
private func occurs(_ value: [UInt8], in bytes: [UInt8], _ headers: [HeaderLine]) -> Bool {
    var table = SecretTable()
    table.insert(value, secret: 0)
    guard headers.firstValue(named: "Content-Type") != "image/png" else {
        return table.next(in: bytes.span, from: 0, before: bytes.count) != nil
    }
    return !table.cuts(in: bytes).isEmpty
}

private let ownRedaction: Redaction = {
    do {
        return try Redaction([
            .name("pw", as: "pw"), .path("a[*].b", as: "path"), .pattern(#"own[a-z]{2,4}\d?"#, as: "own"), .text("xyz"),
            .allowText("sk-aaaaaaaaaaaaaaaa1"), .allowName("jwt"),
        ])
    } catch {
        fatalError("\(error)")
    }
}()

private struct Redacted: Equatable {
    var bytes: [UInt8] = []
    var count = 0
}

private func redact(_ body: [UInt8], cuts: [Int], _ headers: [HeaderLine], _ redaction: Redaction) -> Redacted? {
    redact(body, cuts: cuts, redaction.bodyRedactor(for: headers))
}

private func redact(_ body: [UInt8], cuts: [Int], _ redactor: BodyRedactor) -> Redacted? {
    var redactor = redactor
    var pieces: [[UInt8]] = []
    do throws(BodyRedactor.Unscannable) {
        var start = 0
        for end in cuts + [body.count] {
            pieces += try redactor.append(Array(body[start..<end]))
            start = end
        }
        pieces += try redactor.finish().pieces
    } catch {
        return nil
    }
    require(pieces.count == cuts.count + 1, "\(pieces.count) pieces for \(cuts.count + 1)")
    return Redacted(bytes: Array(pieces.joined()), count: redactor.count)
}
