// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and decodes the payload of the envelope in its response.
    ///
    /// ```swift
    /// let user = try await api.get("/me").value(in: BaseResponse.self, as: User.self)
    /// ```
    ///
    /// An envelope that describes an error is decoded whatever the status of the response.
    ///
    /// - Parameters:
    ///   - envelope: The type of the envelope around the payload. See ``Envelope``.
    ///   - type: The type of the payload.
    /// - Throws: The same errors as ``value(as:)``, and the app's own error or ``ClientError/Code/business`` if the
    ///   code does not indicate success.
    public func value<Wrapper: Envelope, Value: Decodable>(
        in envelope: Wrapper.Type,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await opening(envelope).value { response in try response.value(in: envelope, as: type) }
    }

    /// Sends the call and ignores the payload if the envelope indicates success.
    ///
    /// - Throws: The same errors as ``value(in:as:)``.
    public func send(in envelope: (some Envelope).Type) async throws {
        _ = try await value(in: envelope, as: EmptyResponse.self)
    }

    /// Returns the call, which then accepts the envelope's status codes, and decodes the envelope's errors for all
    /// other statuses.
    private func opening<Wrapper: Envelope>(_ envelope: Wrapper.Type) -> Call {
        var call = self
        // Decoders and rules that were added explicitly take precedence.
        call.serverErrors.insert(.envelope(envelope), at: 0)
        call.validation.insert(.statusCodes(Wrapper.statusCodes), at: 0)
        return call
    }
}

extension ServerErrorDecoder {
    /// Decodes the content as an envelope and throws the error that it describes. If the content is not such an
    /// envelope or indicates success, the next decoder is used.
    ///
    /// ```swift
    /// let api = Client("https://api.example.com", configuration: .init(serverError: .envelope(BaseResponse.self)))
    /// ```
    ///
    /// ``Call/value(in:as:)`` applies this decoder automatically. Use it for calls without an envelope in successful
    /// responses, such as streams.
    public static func envelope(_ type: (some Envelope).Type) -> ServerErrorDecoder {
        ServerErrorDecoder { response in
            guard let wrapper = try? response.decode(as: type) else { return nil }
            return wrapper.failure(in: response)
        }
    }
}

extension BufferedResponse {
    /// Decodes the content as an envelope and returns its payload.
    ///
    /// - Throws: The app's own error or ``ClientError/Code/business`` if the code does not indicate success,
    ///   ``ClientError/Code/decoding`` if the response is not such an envelope, or ``ClientError/Code/path`` if the
    ///   payload is missing or invalid.
    public func value<Wrapper: Envelope, Value: Decodable>(
        in envelope: Wrapper.Type,
        as type: Value.Type = Value.self
    ) throws -> Value {
        if let failure = try decode(as: envelope).failure(in: self) { throw failure }
        // This type ignores the content, so it can be missing or invalid.
        if let empty = EmptyResponse() as? Value { return empty }
        guard let nothing = (type as? any ExpressibleByNilLiteral.Type)?.nothing as? Value else {
            return try values(.required(at: Wrapper.payloadPath, as: type))
        }
        let payload: Value? = try values(.optional(at: Wrapper.payloadPath, as: type))
        return payload ?? nothing
    }
}

extension Envelope {
    /// Returns the error for the code, or nil if the code indicates success.
    fileprivate func failure(in response: BufferedResponse) -> (any Error)? {
        guard !Self.successCodes.contains(code) else { return nil }
        let failure = BusinessError(code: code, message: message, requestID: requestID)
        return Self.error(for: failure)
            ?? ClientError(.business, "the API answered \(failure)", response: response, underlying: failure)
    }
}

extension ExpressibleByNilLiteral {
    fileprivate static var nothing: Self { nil }
}

extension ClientError {
    /// The API's error if ``code`` is ``Code/business``, and nil otherwise.
    public var business: BusinessError? { underlying as? BusinessError }
}
