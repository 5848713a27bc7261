// SPDX-License-Identifier: Apache-2.0

@testable import RepriseWire

/// Reading a response's bytes in several ways must give the same result. The first byte selects the kind of request.
///
/// A parser that repairs must accept what a strict one accepts, unchanged, and what it rewrites must be valid.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponseParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let request: ResponseParser.RequestKind =
        switch bytes[0] {
        case UInt8(ascii: "h"): .head
        case UInt8(ascii: "c"): .connect
        default: .other
        }
    let input = Array(bytes[1...])
    let cuts = inputCuts(input)
    let whole = log(of: input, cuts: cuts[0], answering: request)
    let repaired = log(of: input, cuts: cuts[0], answering: request, repairs: true)
    for other in cuts.dropFirst() {
        require(log(of: input, cuts: other, answering: request) == whole, "cut at \(other)")
        require(log(of: input, cuts: other, answering: request, repairs: true) == repaired, "repaired, cut at \(other)")
    }
    if whole.hasPrefix("Head(") || whole == "needs more" { require(repaired == whole, "repaired \(repaired)") }
    return 0
}

private func log(
    of input: [UInt8],
    cuts: [Int],
    answering request: ResponseParser.RequestKind,
    repairs: Bool = false
) -> String {
    var parser = ResponseParser(limits: .init(statusLine: 60, headerSection: 500, fields: 8), repairs: repairs)
    do throws(ParsingError) {
        for end in cuts + [input.count] {
            guard try parser.parseHead(input.span.extracting(0..<end), answering: request) else { continue }
            guard let repaired = parser.repaired else {
                check(parser.head, of: input)
                return "\(parser.head)"
            }
            check(parser.head, of: repaired.bytes)
            require(
                repairs ? !repaired.repairs.isEmpty : repaired.repairs == .foldedLines,
                "repaired \(repaired.repairs)"
            )
            require(repaired.receivedLength <= end, "received \(repaired.receivedLength)")
            require(parser.head.length == repaired.bytes.count, "bytes after the head")
            let again = log(of: repaired.bytes, cuts: [], answering: request)
            require(again.hasPrefix("Head("), "invalid after the repair: \(again)")
            return "\(repaired.receivedLength) \(repaired.repairs) \(repaired.bytes) \(parser.head)"
        }
        return "needs more"
    } catch {
        require(0...input.count ~= error.offset, "offset \(error.offset)")
        return error.description
    }
}

private func check(_ head: ResponseParser.Head, of input: [UInt8]) {
    require(100...999 ~= head.status, "status \(head.status)")
    require(head.statusLine.lowerBound == 0, "bytes before the status line")
    require(head.statusText.upperBound == head.statusLine.upperBound, "bytes after the status text")
    var end = head.statusLine.upperBound + 2
    for field in head.fields {
        require(field.line.lowerBound == end, "a gap before a line")
        require(!input[field.line].contains { $0 < 32 && $0 != 9 || $0 == 127 }, "a control character in a line")
        end = field.line.upperBound + 2
    }
    require(end + 2 == head.length, "bytes after the fields")
}
