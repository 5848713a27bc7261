// SPDX-License-Identifier: Apache-2.0

@testable import RepriseRedaction
@testable import RepriseText

/// Looking at any text terminates, and all cuts are within it. What the views find is not left in the output: a body
/// that was redacted until nothing more is found stays as it is, and each time removes less than before. The result is
/// the same wherever the body is cut, and each piece of the body stays one.
///
/// A marker can change how the text around it is read, in malformed text, so that a second search can find more than
/// the first. It must find nothing that has no new cause, so the searches end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecodedViews(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let type = types[Int(input[0]) % types.count]
    let body = Array(input.dropFirst())
    for kind in kinds {
        for cut in DecodedViews.cuts(in: body, kind: kind, rules: .standard) {
            require(0..<body.count ~= cut.range.lowerBound, "a cut starts at \(cut.range) of \(body.count)")
            require(
                !cut.range.isEmpty && cut.range.upperBound <= body.count,
                "a cut is at \(cut.range) of \(body.count)"
            )
        }
    }
    var whole = redact(body, cuts: [], type)
    for cuts in inputCuts(body).dropFirst() {
        require(redact(body, cuts: cuts, type) == whole, "cut at \(cuts)")
    }
    // Each search that finds something replaces it by a marker, which is never found.
    for _ in 0..<body.count {
        guard let bytes = whole else { return 0 }
        let again = redact(bytes, cuts: [], type)
        if again == whole { return 0 }
        whole = again
    }
    require(whole.map { redact($0, cuts: [], type) == whole } ?? true, "a marker is found again and again")
    return 0
}

private let types = [
    "text/plain", "application/json", "text/event-stream", "application/x-ndjson", "multipart/form-data; boundary=b",
    "text/html", "application/x-www-form-urlencoded", "application/xml; charset=utf-16",
]

private let kinds: [BodyKind] = [.unknown, .json, .multipart(boundary: [UInt8(ascii: "b")])]

private func redact(_ body: [UInt8], cuts: [Int], _ type: String) -> [UInt8]? {
    var redactor = Redaction.standard.bodyRedactor(for: [HeaderLine(name: "Content-Type", value: type)])
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
    return Array(pieces.joined())
}
