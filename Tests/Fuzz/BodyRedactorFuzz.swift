// SPDX-License-Identifier: Apache-2.0

@testable import RepriseRedaction
@testable import RepriseText

/// Whatever a body is, redacting it ends; however it is cut, what comes out is the same, a piece for each. What was taken
/// out before is nowhere in what comes out, and where nothing was found nothing is changed.
///
/// That a second look finds nothing is asked of JSON without escapes: in a text of half quotes and half escapes a marker
/// changes how what follows it is read, and the second look takes more than the first.
///
/// The first byte chooses the kind of body, so that a seed is one kind's: see `kinds`.
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
    if let bytes = whole?.bytes, whole?.count == 0 { require(bytes == body, "other bytes though nothing was found") }
    if isPlainJSON(body), let bytes = whole?.bytes, let again = redact(bytes, cuts: [], headers, redaction) {
        require(again.count == 0, "a secret in what was redacted")
    }
    return 0
}

private let kinds = [
    "text/plain", "application/json", "application/x-www-form-urlencoded", "text/event-stream", "application/x-ndjson",
    "multipart/form-data; boundary=b", "image/png", "text/html",
]

/// Whether the body is JSON of which each string is what it looks like.
private func isPlainJSON(_ body: [UInt8]) -> Bool {
    guard !body.contains(where: { "\\%&".utf8.contains($0) }) else { return false }
    var reader = JSONReader(body)
    while let token = try? reader.next() {
        if token == .end { return true }
    }
    return false
}

/// What was taken out of bodies before.
private let removedBefore = ["hunter2", "secret#1", "abcdefghijkl"].map { Array($0.utf8) }

private func requireNoRepeats(_ body: [UInt8], _ headers: [HeaderLine], _ redaction: Redaction) {
    for cuts in inputCuts(body) {
        let removed = RemovedValues()
        for value in removedBefore { removed.add(value, marker: 0) }
        let redactor = BodyRedactor(redaction.rules, headers: headers, removed: removed)
        guard let bytes = redact(body, cuts: cuts, redactor)?.bytes else { continue }
        for value in removedBefore { require(!bytes.contains(value), "a value that was removed before") }
    }
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
    require(pieces.count == cuts.count + 1, "\(pieces.count) pieces out of \(cuts.count + 1)")
    return Redacted(bytes: Array(pieces.joined()), count: redactor.count)
}
