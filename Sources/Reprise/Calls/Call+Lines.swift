// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and returns the lines of its response as they are received.
    ///
    /// ```swift
    /// for try await line in try await api.get("/log").lines() { print(line) }
    /// ```
    ///
    /// The status is checked first, as described for ``stream()``. ``LineDecoder`` defines what a line is. The text is in
    /// the charset that Content-Type names, or in UTF-8. An unknown charset throws ``ClientError/Code/decoding``.
    ///
    /// - Parameter maxLineLength: The maximum length of a line in bytes. A longer line throws
    ///   ``ClientError/Code/decoding``.
    /// - Throws: The errors of ``stream()``.
    public func lines(
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) async throws -> DecodedStream<Body, LineDecoder> {
        try await decodedStream { response in
            var decoder = LineDecoder(maxLineLength: maxLineLength)
            decoder.charset = try response.head.charset(inLines: true)
            return DecodedStream(response.body, decoder: decoder)
        }
    }

    /// Sends the call and returns the values of its newline-delimited JSON, one per line, as they are received.
    ///
    /// ```swift
    /// for try await entry in try await api.get("/log").ndjson(as: LogEntry.self) { show(entry) }
    /// ```
    ///
    /// The call's decoder decodes the values. A line that cannot be decoded ends the stream with
    /// ``ClientError/Code/decoding``, which has the number of the line. The status is checked first, as described for
    /// ``stream()``.
    ///
    /// - Parameters:
    ///   - type: The type of each line.
    ///   - maxLineLength: The maximum length of a line in bytes. A longer line throws ``ClientError/Code/decoding``.
    /// - Throws: The errors of ``stream()``.
    public func ndjson<Value: Decodable>(
        as type: Value.Type = Value.self,
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) async throws -> DecodedStream<Body, JSONLineDecoder<Value>> {
        let decoder = resolvedDecoder
        return try await decodedStream { $0.body.ndjson(as: type, decoder: decoder, maxLineLength: maxLineLength) }
    }

    /// Sends the call and returns the stream that `decode` creates from its response. Errors are translated to
    /// ``ClientError``.
    func decodedStream<Decoder>(
        _ decode: (Response) throws -> DecodedStream<Body, Decoder>
    ) async throws -> DecodedStream<Body, Decoder> {
        let request = try request()
        let response = try await stream(request)
        do {
            return try decode(response).translating { ClientError.outermost($0, request: request) }
        } catch {
            throw ClientError.outermost(error, request: request)
        }
    }
}
