// SPDX-License-Identifier: Apache-2.0

/// Decodes an error response into your own error type.
///
/// ```swift
/// struct Problem: Error, Decodable { let title: String }
/// ```
///
/// ```swift
/// let api = Client("https://api.example.com", configuration: .init(serverError: .decoding(Problem.self)))
/// ```
///
/// A call uses its decoders when it does not accept the status of a response. A decoder sees the status, the header
/// fields, and the content. The call throws the error that the decoder returns. If it returns nil, the next decoder is
/// tried, and after the last one, the call throws ``ClientError/Code/status``.
public struct ServerErrorDecoder: Sendable {
    let decode: @Sendable (BufferedResponse) throws -> (any Error)?

    /// Creates a decoder from a closure. If the closure throws, the call throws the same error.
    public init(_ decode: @escaping @Sendable (BufferedResponse) throws -> (any Error)?) {
        self.decode = decode
    }

    /// Decodes the content as `Failure` with the call's decoder. If that fails, the next decoder is tried.
    public static func decoding<Failure: Error & Decodable>(_ type: Failure.Type) -> ServerErrorDecoder {
        ServerErrorDecoder { response in try? response.decode(as: type) }
    }
}

extension Call {
    /// Throws the server's own error instead of ``ClientError/Code/status`` if the content can be decoded as one.
    ///
    /// ```swift
    /// do {
    ///     try await api.post("/orders").json(order).serverError(Problem.self).send()
    /// } catch let problem as Problem {
    ///     show(problem.title)
    /// }
    /// ```
    ///
    /// The call's decoders are tried before the endpoint's and the client's. The one added last is tried first.
    public consuming func serverError<Failure: Error & Decodable>(_ type: Failure.Type) -> Call {
        serverError(.decoding(type))
    }

    /// Throws the error that `decode` returns for a response whose status is not accepted. If it returns nil, the
    /// decoders added earlier are tried.
    public consuming func serverError(
        _ decode: @escaping @Sendable (BufferedResponse) throws -> (any Error)?
    ) -> Call {
        serverError(ServerErrorDecoder(decode))
    }

    /// Adds a decoder for responses whose status is not accepted. It is tried before the decoders added earlier.
    public consuming func serverError(_ decoder: ServerErrorDecoder) -> Call {
        serverErrors.append(decoder)
        return self
    }

    /// Returns the server's own error, or nil if no decoder recognizes one.
    func serverError(in response: BufferedResponse) -> (any Error)? {
        do {
            for decoder in serverErrors.reversed() {
                if let error = try decoder.decode(response) { return error }
            }
            return try client.shared.configuration.serverError?.decode(response)
        } catch {
            return error
        }
    }
}
