// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and gives the lines of its response while they come.
    ///
    /// ```swift
    /// for try await line in try await api.get("/log").lines() { print(line) }
    /// ```
    ///
    /// See ``stream()`` for what happens first, and ``LineDecoder`` for what a line is.
    ///
    /// - Parameter limit: how long a line may be, in bytes; a longer one is ``ClientError/Code/decoding``.
    /// - Throws: as ``stream()``.
    public func lines(limit: Int = LineDecoder.defaultLimit) async throws -> DecodedStream<Body, LineDecoder> {
        try await decodedStream { $0.lines(limit: limit) }
    }

    /// Sends the call and gives the values of newline-delimited JSON, one a line, while they come.
    ///
    /// ```swift
    /// for try await entry in try await api.get("/log").ndjson(as: LogEntry.self) { show(entry) }
    /// ```
    ///
    /// The call's decoder decodes them. A line that is no such value ends it with ``ClientError/Code/decoding`` and the
    /// line's number. See ``stream()`` for what happens first.
    ///
    /// - Parameters:
    ///   - type: what each line is.
    ///   - limit: how long a line may be, in bytes; a longer one is ``ClientError/Code/decoding``.
    /// - Throws: as ``stream()``.
    public func ndjson<Value: Decodable>(
        as type: Value.Type = Value.self,
        limit: Int = LineDecoder.defaultLimit
    ) async throws -> DecodedStream<Body, JSONLineDecoder<Value>> {
        let decoder = resolvedDecoder
        return try await decodedStream { $0.ndjson(as: type, decoder: decoder, limit: limit) }
    }

    /// Sends the call and gives what `decode` makes of its response's body, the errors in the client's terms.
    func decodedStream<Decoder>(
        _ decode: (Body) -> DecodedStream<Body, Decoder>
    ) async throws -> DecodedStream<Body, Decoder> {
        let request = try request()
        return try await decode(stream(request).body).translating { ClientError.outermost($0, request: request) }
    }
}
