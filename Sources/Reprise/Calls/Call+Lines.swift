// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and returns the lines of its response as they are received.
    ///
    /// ```swift
    /// for try await line in try await api.get("/log").lines() { print(line) }
    /// ```
    ///
    /// The status is checked first, as described for ``stream()``. ``LineDecoder`` defines what a line is.
    ///
    /// - Parameter maxLineLength: The maximum length of a line in bytes. A longer line throws
    ///   ``ClientError/Code/decoding``.
    /// - Throws: The errors of ``stream()``.
    public func lines(
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) async throws -> DecodedStream<Body, LineDecoder> {
        try await decodedStream { $0.lines(maxLineLength: maxLineLength) }
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
        return try await decodedStream { $0.ndjson(as: type, decoder: decoder, maxLineLength: maxLineLength) }
    }

    /// Sends the call and returns the stream that `decode` creates from its response's body. Errors are translated to
    /// ``ClientError``.
    func decodedStream<Decoder>(
        _ decode: (Body) -> DecodedStream<Body, Decoder>
    ) async throws -> DecodedStream<Body, Decoder> {
        let request = try request()
        return try await decode(stream(request).body).translating { ClientError.outermost($0, request: request) }
    }
}
