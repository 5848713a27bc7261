// SPDX-License-Identifier: Apache-2.0

extension AsyncSequence where Element == [UInt8] {
    /// The lines of the text that these chunks make, blank ones too, without their ends: CR, LF or CR LF.
    ///
    /// ```swift
    /// for try await line in response.body.lines() { print(line) }
    /// ```
    ///
    /// Bytes that are not UTF-8 become U+FFFD. See ``LineDecoder``.
    ///
    /// - Parameter limit: how long a line may be, in bytes; a longer one is a ``StreamDecodingError``.
    public func lines(limit: Int = LineDecoder.defaultLimit) -> DecodedStream<Self, LineDecoder> {
        DecodedStream(self, decoder: LineDecoder(limit: limit))
    }

    /// The events of a `text/event-stream`, by the WHATWG's rules.
    ///
    /// ```swift
    /// for try await event in response.body.events() { print(event.data) }
    /// ```
    ///
    /// An event that the end cuts off is left out, as the rules say. See ``ServerSentEventDecoder``.
    ///
    /// - Parameter limit: how long a line, and the data of one event, may be, in bytes; what is longer is a
    ///   ``StreamDecodingError``.
    public func events(limit: Int = LineDecoder.defaultLimit) -> DecodedStream<Self, ServerSentEventDecoder> {
        DecodedStream(self, decoder: ServerSentEventDecoder(limit: limit))
    }

    /// The values of newline-delimited JSON (`application/x-ndjson`), one a line.
    ///
    /// ```swift
    /// for try await entry in response.body.ndjson(as: LogEntry.self) { show(entry) }
    /// ```
    ///
    /// Blank lines are skipped. A line that is no such value ends it with a ``StreamDecodingError`` that names the line.
    /// See ``JSONLineDecoder``.
    ///
    /// - Parameters:
    ///   - type: what each line is.
    ///   - decoder: what decodes it.
    ///   - limit: how long a line may be, in bytes; a longer one is a ``StreamDecodingError``.
    public func ndjson<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: any ResponseDecoder = .json,
        limit: Int = LineDecoder.defaultLimit
    ) -> DecodedStream<Self, JSONLineDecoder<Value>> {
        DecodedStream(self, decoder: JSONLineDecoder(as: type, decoder: decoder, limit: limit))
    }
}
