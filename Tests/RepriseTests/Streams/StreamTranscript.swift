// SPDX-License-Identifier: Apache-2.0

@testable import Reprise

/// All that a decoder makes of a stream: what two ways of cutting its bytes must agree on.
struct StreamTranscript<Element: Equatable>: Equatable {
    var elements: [Element] = []
    var failure: Failure?
    /// What the decoder knows at the end.
    var rest: [String] = []

    struct Failure: Equatable {
        let code: StreamDecodingError.Code
        let line: Int
        let message: String
    }

    /// Gives `decoder` the chunks of `bytes` that end at each of `cuts`, and looks for elements after each of them.
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
            fatalError("an error of another type: \(error)")
        }
    }
}

extension StreamTranscript<String> {
    static func lines(_ bytes: [UInt8], limit: Int = LineDecoder.defaultLimit, cuts: [Int] = []) -> Self {
        Self(LineDecoder(limit: limit), bytes, cuts: cuts)
    }
}

extension StreamTranscript<ServerSentEvent> {
    static func events(_ bytes: [UInt8], limit: Int = LineDecoder.defaultLimit, cuts: [Int] = []) -> Self {
        Self(ServerSentEventDecoder(limit: limit), bytes, cuts: cuts) { decoder in
            [decoder.lastEventID, String(describing: decoder.reconnectionTime), "\(decoder.isInsideEvent)"]
        }
    }
}

/// Every way to cut `count` bytes into two and into three, and one byte at a time; empty chunks are among them.
func allSplits(of count: Int) -> [[Int]] {
    var splits = [Array(0...count)]
    for first in 0...count {
        splits.append([first])
        for second in first...count { splits.append([first, second]) }
    }
    return splits
}
