// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Decodes newline-delimited JSON: a value on each line, blank lines skipped.
///
/// The last line needs no end. Lines are cut as ``LineDecoder`` does it, so the numbers in errors are an editor's.
public struct JSONLineDecoder<Value: Decodable>: StreamDecoder {
    private var lines: LineDecoder
    private let decoder: any ResponseDecoder

    /// A decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - type: what each line is.
    ///   - decoder: what decodes it.
    ///   - limit: how long a line may be, in bytes.
    public init(
        as type: Value.Type = Value.self,
        decoder: any ResponseDecoder = .json,
        limit: Int = LineDecoder.defaultLimit
    ) {
        // RFC 8259 section 8.1: a reader may pass over a byte order mark.
        lines = LineDecoder(limit: limit, dropsMark: true)
        self.decoder = decoder
    }

    /// Takes the next bytes of the stream.
    public mutating func append(_ chunk: [UInt8]) {
        lines.append(chunk)
    }

    /// Says that no more bytes will come.
    public mutating func finish() {
        lines.finish()
    }

    /// The next value.
    ///
    /// - Throws: ``StreamDecodingError`` with code `invalidJSON`, which names the line, what was found and where in the
    ///   line, or `lineTooLong`.
    public mutating func next() throws(StreamDecodingError) -> Value? {
        while let line = try lines.nextBytes() {
            if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
            do {
                return try decoder.decode(Value.self, from: Data(line))
            } catch {
                throw invalid(line, error)
            }
        }
        return nil
    }

    private func invalid(_ line: ArraySlice<UInt8>, _ error: any Error) -> StreamDecodingError {
        let reason = (error as? DecodingError)?.report ?? "\(error)"
        return StreamDecodingError(
            .invalidJSON,
            line: lines.count,
            "line \(lines.count) is no \(Value.self): \(reason). The line begins: \(line.excerpt)",
            underlying: error
        )
    }
}
