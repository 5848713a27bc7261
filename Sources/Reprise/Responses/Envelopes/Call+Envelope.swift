// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and gives the content of its response's envelope.
    ///
    /// ```swift
    /// let user = try await api.get("/me").value(in: BaseResponse.self, as: User.self)
    /// ```
    ///
    /// An envelope that says what went wrong is read under any status.
    ///
    /// - Parameters:
    ///   - envelope: what is around the content. See ``Envelope``.
    ///   - type: what the content is.
    /// - Throws: as ``value(as:)``; the app's own error, or ``ClientError/Code/business``, for a code that is no success.
    public func value<Wrapper: Envelope, Value: Decodable>(
        in envelope: Wrapper.Type,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await opening(envelope).value { response in try response.value(in: envelope, as: type) }
    }

    /// Sends the call and forgets its response, if the envelope says that it is a success.
    ///
    /// - Throws: as ``value(in:as:)``.
    public func send(in envelope: (some Envelope).Type) async throws {
        _ = try await value(in: envelope, as: EmptyResponse.self)
    }

    /// The call with what an envelope says about statuses, and about errors under others.
    private func opening<Wrapper: Envelope>(_ envelope: Wrapper.Type) -> Call {
        var call = self
        // What was added by hand goes before it.
        call.serverErrors.insert(.envelope(envelope), at: 0)
        call.validation.insert(.statusCodes(Wrapper.statusCodes), at: 0)
        return call
    }
}

extension ServerErrorDecoder {
    /// One that takes the content for an envelope and throws what it says; content that is none, or says success, leaves it
    /// to the next.
    ///
    /// ```swift
    /// let api = Client("https://api.example.com", configuration: .init(serverError: .envelope(BaseResponse.self)))
    /// ```
    ///
    /// ``Call/value(in:as:)`` has it without asking. It is for calls that have no envelope to open where all is well, such
    /// as streams.
    public static func envelope(_ type: (some Envelope).Type) -> ServerErrorDecoder {
        ServerErrorDecoder { response in
            guard let wrapper = try? response.decode(as: type) else { return nil }
            return wrapper.failure(in: response)
        }
    }
}

extension BufferedResponse {
    /// The content of an envelope.
    ///
    /// - Throws: the app's own error, or ``ClientError/Code/business``, for a code that is no success;
    ///   ``ClientError/Code/decoding`` if the content is no such envelope; ``ClientError/Code/path`` if what is in it is
    ///   missing or something else.
    public func value<Wrapper: Envelope, Value: Decodable>(
        in envelope: Wrapper.Type,
        as type: Value.Type = Value.self
    ) throws -> Value {
        if let failure = try decode(as: envelope).failure(in: self) { throw failure }
        // Content is of no interest, and may be missing or anything.
        if let empty = EmptyResponse() as? Value { return empty }
        guard let nothing = (type as? any ExpressibleByNilLiteral.Type)?.nothing as? Value else {
            return try values(.required(at: Wrapper.payloadPath, as: type))
        }
        let payload: Value? = try values(.optional(at: Wrapper.payloadPath, as: type))
        return payload ?? nothing
    }
}

extension Envelope {
    /// What is to be thrown for the code; nil for one of success.
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
    /// What the API said, if ``code`` is ``Code/business``.
    public var business: BusinessError? { underlying as? BusinessError }
}
