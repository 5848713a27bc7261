// SPDX-License-Identifier: Apache-2.0

@testable import RepriseWire

/// A chunked body in pieces, each in its own buffer, must decode like the whole body, and must decode to the same again
/// after it is encoded. A decoder that repairs must decode what a strict one decodes, to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChunkedDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let cuts = inputCuts(input)
    let whole = decode(input, cuts: cuts[0])
    let repaired = decode(input, cuts: cuts[0], repairs: true)
    for other in cuts.dropFirst() {
        require(decode(input, cuts: other) == whole, "cut at \(other)")
        require(decode(input, cuts: other, repairs: true) == repaired, "repaired, cut at \(other)")
    }
    checkRoundTrip(repaired)
    guard case .complete = whole.ending else { return 0 }
    require(repaired == whole, "repaired a valid body")
    return 0
}

private func checkRoundTrip(_ decoded: Decoded) {
    guard case .complete = decoded.ending else { return }
    let again = decode(encode(decoded), cuts: [])
    require(again == decoded.with(ending: again.ending).with(repairs: []), "different body")
    require(again.ending == .complete(left: 0), "ended with \(again.ending)")
}

/// The result of decoding a body.
private struct Decoded: Equatable {
    var content: [UInt8] = []
    var sizes: [Int] = []
    var trailers: [[UInt8]] = []
    var repairs: ResponseRepairs = []
    var ending = Ending.open

    enum Ending: Equatable {
        case open
        case complete(left: Int)
        case error(ParsingError.Kind)
    }

    func with(ending: Ending) -> Decoded {
        var copy = self
        copy.ending = ending
        return copy
    }

    func with(repairs: ResponseRepairs) -> Decoded {
        var copy = self
        copy.repairs = repairs
        return copy
    }
}

private func decode(_ input: [UInt8], cuts: [Int], repairs: Bool = false) -> Decoded {
    var decoder = BodyDecoder(response: .chunked, limit: 500, trailerSection: 300, trailerFields: 6, repairs: repairs)
    var decoded = Decoded()
    var start = 0
    for end in cuts + [input.count] {
        let piece = Array(input[start..<end])
        do throws(ParsingError) {
            if let left = try read(piece, with: &decoder, into: &decoded) {
                decoded.ending = .complete(left: left + input.count - end)
                return decoded
            }
        } catch {
            require(0...piece.count ~= error.offset, "offset \(error.offset)")
            decoded.ending = .error(error.kind)
            return decoded
        }
        start = end
    }
    return decoded
}

/// Reads a piece. If the body ends in it, returns the number of bytes after the body.
private func read(
    _ piece: [UInt8],
    with decoder: inout BodyDecoder,
    into decoded: inout Decoded
) throws(ParsingError) -> Int? {
    var offset = 0
    while true {
        let event = try decoder.decode(piece.span, from: offset)
        require(offset...piece.count ~= event.consumedTo, "consumed to \(event.consumedTo)")
        offset = event.consumedTo
        switch event {
        case .data(let range): decoded.content += piece[range]
        case .chunkStart(let size, _): decoded.sizes.append(size)
        case .chunkEnd: require(decoded.sizes.reduce(0, +) == decoded.content.count, "wrong chunk size")
        case .end:
            let trailers = decoder.trailers
            decoded.repairs = decoder.repairs
            decoded.trailers = trailers.fields.map { Array(trailers.bytes[$0.line]) }
            return piece.count - offset
        case .needsMore: return nil
        }
    }
}

private func encode(_ decoded: Decoded) -> [UInt8] {
    var output: [UInt8] = []
    var content = decoded.content[...]
    for size in decoded.sizes {
        ChunkEncoder.appendChunk(content.prefix(size), to: &output)
        content.removeFirst(size)
    }
    ChunkEncoder.appendLastChunk(trailers: decoded.trailers, to: &output)
    return output
}
