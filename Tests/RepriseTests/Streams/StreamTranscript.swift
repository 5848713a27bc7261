// SPDX-License-Identifier: Apache-2.0

@testable import Reprise

/// Everything that a decoder produces from a stream. It must not depend on how the bytes are split.
struct StreamTranscript<Element: Equatable>: Equatable {
    var elements: [Element] = []
    var failure: Failure?
    /// The state of the decoder at the end.
    var rest: [String] = []

    struct Failure: Equatable {
        let code: StreamDecodingError.Code
        let line: Int
        let message: String
    }

    /// Appends the chunks of `bytes` that end at each of `cuts` to `decoder`, and reads all elements after each chunk.
    init<Decoder: StreamDecoder>(
        _ decoder: Decoder,
        _ bytes: [UInt8],
        cuts: [Int] = [],
        rest: (Decoder) -> [String] = { _ in [] }
    ) where Decoder.Element == Element {
        var decoder = decoder
        do {
            var start = 0
            for end in cuts + [bytes.count] {
                decoder.append(Array(bytes[start..<end]))
                start = end
                while let element = try decoder.next() { elements.append(element) }
            }
            decoder.finish()
            while let element = try decoder.next() { elements.append(element) }
            self.rest = rest(decoder)
        } catch let error as StreamDecodingError {
            failure = Failure(code: error.code, line: error.line, message: error.message)
        } catch {
            fatalError("unexpected type of error: \(error)")
        }
    }
}

extension StreamTranscript<String> {
    static func lines(_ bytes: [UInt8], limit: Int = LineDecoder.defaultMaxLineLength, cuts: [Int] = []) -> Self {
        Self(LineDecoder(maxLineLength: limit), bytes, cuts: cuts)
    }
}

extension StreamTranscript<ServerSentEvent> {
    static func events(_ bytes: [UInt8], limit: Int = LineDecoder.defaultMaxLineLength, cuts: [Int] = []) -> Self {
        Self(ServerSentEventDecoder(maxEventLength: limit), bytes, cuts: cuts) { decoder in
            [decoder.lastEventID, String(describing: decoder.reconnectionTime), "\(decoder.isInsideEvent)"]
        }
    }
}

/// Every way to split `count` bytes into two and into three chunks, some of them empty, and into single bytes.
func allSplits(of count: Int) -> [[Int]] {
    var splits = [Array(0...count)]
    for first in 0...count {
        splits.append([first])
        for second in first...count { splits.append([first, second]) }
    }
    return splits
}
