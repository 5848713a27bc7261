// SPDX-License-Identifier: Apache-2.0

@testable import RepriseWire

/// Reading a connection's bytes in several ways must give the same result, and a head must be consistent with its
/// bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let cuts = inputCuts(input)
    let whole = log(of: input, cuts: cuts[0])
    for other in cuts.dropFirst() {
        require(log(of: input, cuts: other) == whole, "cut at \(other)")
    }
    return 0
}

/// The result of parsing the bytes, as numbers.
private func log(of input: [UInt8], cuts: [Int]) -> [Int] {
    let limits = RequestParser.Limits(target: 100, headerSection: 500, fields: 8, body: 300)
    var log: [Int] = []
    var parser = RequestParser(limits: limits)
    var decoder: BodyDecoder?
    var offset = 0
    do throws(ParsingError) {
        for end in cuts + [input.count] {
            while true {
                if decoder == nil {
                    guard try parser.parseHead(input.span.extracting(offset..<end)) else { break }
                    append(parser.head, of: Array(input[offset..<end]), to: &log)
                    offset += parser.head.length
                    decoder = BodyDecoder(parser.head.body, limit: limits.body, trailerSection: 500, trailerFields: 8)
                    parser.reset()
                }
                guard var body = decoder else { break }
                let isComplete = try read(&body, input, &offset, end, &log)
                decoder = isComplete ? nil : body
                if !isComplete { break }
            }
        }
        log += [offset, decoder == nil ? 1 : 0, parser.isIdle ? 1 : 0]
    } catch {
        require(400...505 ~= error.status, "status \(error.status)")
        require(0...input.count ~= error.offset, "offset \(error.offset)")
        log += [-1, error.offset, error.kind.hashValue, Int(error.found ?? 0)]
    }
    return log
}

/// Reads the available part of a body, and returns whether the body is complete.
private func read(
    _ decoder: inout BodyDecoder,
    _ input: [UInt8],
    _ offset: inout Int,
    _ end: Int,
    _ log: inout [Int]
) throws(ParsingError) -> Bool {
    while true {
        let event = try decoder.decode(input.span.extracting(0..<end), from: offset)
        require(offset...end ~= event.consumedTo, "consumed to \(event.consumedTo)")
        offset = event.consumedTo
        switch event {
        case .data(let range):
            require(!range.isEmpty, "empty data")
            log += input[range].map(Int.init)
        case .chunkStart(let size, _): log += [-2, size]
        case .chunkEnd: log.append(-3)
        case .end:
            log += [-4, offset, decoder.trailers.fields.count] + decoder.trailers.bytes.map(Int.init)
            return true
        case .needsMore:
            require(offset == end, "\(end - offset) bytes were not read")
            return false
        }
    }
}

private func append(_ head: RequestHead, of input: [UInt8], to log: inout [Int]) {
    let bytes = input[..<head.length]
    require(bytes.suffix(4).elementsEqual([13, 10, 13, 10]), "no blank line")
    require(!head.method.isEmpty && !head.target.isEmpty, "an empty part")
    require(head.target.lowerBound == head.method.upperBound + 1, "a gap before the target")
    require(head.form == .origin ? input[head.path.lowerBound] == 47 : true, "no path")
    var end = head.target.upperBound + 11
    for field in head.fields {
        require(field.line.lowerBound == end, "a gap before a line")
        require(field.name.lowerBound == field.line.lowerBound && !field.name.isEmpty, "no name")
        require(input[field.name.upperBound] == 58, "no colon")
        require(field.value.lowerBound > field.name.upperBound, "value before the colon")
        require(field.value.upperBound <= field.line.upperBound, "value beyond the line")
        require(!input[field.line].contains { $0 < 32 && $0 != 9 || $0 == 127 }, "a control character in a line")
        end = field.line.upperBound + 2
    }
    require(end + 2 == head.length, "bytes after the fields")
    log += [head.length, head.minorVersion, head.isKeepAlive ? 1 : 0, head.expectsContinue ? 1 : 0, head.fields.count]
    for range in [head.method, head.target, head.path, head.query, head.authority, head.host, head.contentType] {
        log += range.map { [$0.lowerBound, $0.upperBound] } ?? [-1]
        require(range.map { $0.upperBound <= head.length } ?? true, "a range beyond the head")
    }
}
