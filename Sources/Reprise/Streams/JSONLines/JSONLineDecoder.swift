// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Decodes newline-delimited JSON, with one value per line. Blank lines are skipped.
///
/// Lines end with LF or CR LF. A CR alone is whitespace, as in JSON. The last line needs no line end.
public struct JSONLineDecoder<Value: Decodable>: StreamDecoder, Sendable {
    private var lines: LineDecoder
    private let decoder: any ResponseDecoder

    /// Creates a decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - type: The type to decode each line as.
    ///   - decoder: The decoder for each line.
    ///   - maxLineLength: The maximum length of a line in bytes.
    public init(
        as type: Value.Type = Value.self,
        decoder: any ResponseDecoder = .json,
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) {
        // RFC 8259 section 8.1 allows parsers to ignore a byte order mark.
        lines = LineDecoder(maxLineLength: maxLineLength, dropsMark: true, endsAtReturns: false)
        self.decoder = decoder
    }

    /// Adds the next bytes of the stream.
    public mutating func append(_ chunk: [UInt8]) {
        lines.append(chunk)
    }

    /// Marks the end of the stream.
    public mutating func finish() {
        lines.finish()
    }

    /// Returns the next value, or nil if it needs more bytes or the stream has ended.
    ///
    /// - Throws: ``StreamDecodingError`` with the code `lineTooLong` or `invalidJSON`. For the latter, the message
    ///   describes the line, what was found, and where in the line.
    public mutating func next() throws(StreamDecodingError) -> Value? {
        while let line = try lines.nextBytes() {
            if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
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
            "cannot decode \(Value.self) from line \(lines.count): \(reason); the line begins: \(line.excerpt(type: nil))",
            underlying: error
        )
    }
}
