// SPDX-License-Identifier: Apache-2.0

extension AsyncSequence where Element == [UInt8] {
    /// Decodes the chunks as lines of text, including blank lines, without their line ends: CR, LF, or CR LF.
    ///
    /// ```swift
    /// for try await line in response.body.lines() { print(line) }
    /// ```
    ///
    /// Bytes that are not UTF-8 become U+FFFD. See ``LineDecoder``.
    ///
    /// - Parameter maxLineLength: The maximum length of a line in bytes. A longer line throws a
    ///   ``StreamDecodingError``.
    public func lines(
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) -> DecodedStream<Self, LineDecoder> {
        DecodedStream(self, decoder: LineDecoder(maxLineLength: maxLineLength))
    }

    /// Decodes the chunks as the events of a `text/event-stream`, following the WHATWG's rules.
    ///
    /// ```swift
    /// for try await event in response.body.events() { print(event.data) }
    /// ```
    ///
    /// An event that is incomplete at the end of the stream is dropped, as the rules require. See
    /// ``ServerSentEventDecoder``.
    ///
    /// - Parameter maxEventLength: The maximum length in bytes of a line, and of the data of one event. Anything
    ///   longer throws a ``StreamDecodingError``.
    public func events(
        maxEventLength: Int = LineDecoder.defaultMaxLineLength
    ) -> DecodedStream<Self, ServerSentEventDecoder> {
        DecodedStream(self, decoder: ServerSentEventDecoder(maxEventLength: maxEventLength))
    }

    /// Decodes the chunks as newline-delimited JSON (`application/x-ndjson`), with one value per line.
    ///
    /// ```swift
    /// for try await entry in response.body.ndjson(as: LogEntry.self) { show(entry) }
    /// ```
    ///
    /// Blank lines are skipped. A line that cannot be decoded ends the stream with a ``StreamDecodingError`` that
    /// gives the line's number. See ``JSONLineDecoder``.
    ///
    /// - Parameters:
    ///   - type: The type to decode each line as.
    ///   - decoder: The decoder for each line.
    ///   - maxLineLength: The maximum length of a line in bytes. A longer line throws a ``StreamDecodingError``.
    public func ndjson<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: any ResponseDecoder = .json,
        maxLineLength: Int = LineDecoder.defaultMaxLineLength
    ) -> DecodedStream<Self, JSONLineDecoder<Value>> {
        DecodedStream(self, decoder: JSONLineDecoder(as: type, decoder: decoder, maxLineLength: maxLineLength))
    }
}
