// SPDX-License-Identifier: Apache-2.0

/// However the bytes are cut, the lines are the same, with a low limit and with the default. They contain no line ends,
/// and are the same after they are joined and decoded again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLineDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let cuts = inputCuts(input)
    for limit in [LineDecoder.defaultMaxLineLength, 20] {
        let whole = decode(input, cuts: [], limit: limit)
        for other in cuts.dropFirst() {
            require(decode(input, cuts: other, limit: limit) == whole, "cut at \(other), limit \(limit)")
        }
        for line in whole.lines {
            require(line.count <= limit, "\(line.count) bytes")
            require(!line.contains(0x0A) && !line.contains(0x0D), "a line end in a line")
        }
        if whole.failedLine == nil, limit != 20 {
            let again = decode(Array(whole.lines.joined(separator: [0x0A])) + [0x0A], cuts: [], limit: limit)
            require(again.lines == whole.lines || whole.lines.isEmpty, "different lines when decoded again")
        }
    }
    return 0
}

private struct Decoded: Equatable {
    var lines: [ArraySlice<UInt8>] = []
    var failedLine: Int?
}

private func decode(_ input: [UInt8], cuts: [Int], limit: Int) -> Decoded {
    var decoder = LineDecoder(maxLineLength: limit)
    var decoded = Decoded()
    do throws(StreamDecodingError) {
        var start = 0
        for end in cuts + [input.count] {
            decoder.append(Array(input[start..<end]))
            start = end
            while let line = try decoder.nextBytes() { decoded.lines.append(line) }
        }
        decoder.finish()
        while let line = try decoder.nextBytes() { decoded.lines.append(line) }
    } catch {
        require(error.line == decoded.lines.count + 1, "line \(error.line) after \(decoded.lines.count)")
        decoded.failedLine = error.line
    }
    return decoded
}
