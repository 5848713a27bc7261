// SPDX-License-Identifier: Apache-2.0

/// What makes an error of one's own of a response that is none of success.
///
/// ```swift
/// struct Problem: Error, Decodable { let title: String }
/// ```
///
/// ```swift
/// let api = Client("https://api.example.com", configuration: .init(serverError: .decoding(Problem.self)))
/// ```
///
/// It is asked when the status is not one that the call takes, and sees the status, the header fields and the content.
/// What it makes is thrown as itself; nil leaves it to the next one, and in the end to ``ClientError/Code/status``.
public struct ServerErrorDecoder: Sendable {
    let decode: @Sendable (BufferedResponse) throws -> (any Error)?

    /// One that is a closure; what it throws is thrown.
    public init(_ decode: @escaping @Sendable (BufferedResponse) throws -> (any Error)?) {
        self.decode = decode
    }

    /// One that takes the content for a `Failure`, with the call's decoder; content that is none leaves it to the next.
    public static func decoding<Failure: Error & Decodable>(_ type: Failure.Type) -> ServerErrorDecoder {
        ServerErrorDecoder { response in try? response.decode(as: type) }
    }
}

extension Call {
    /// Throws the server's own error, where the content is one, instead of ``ClientError/Code/status``.
    ///
    /// ```swift
    /// do {
    ///     try await api.post("/orders").json(order).serverError(Problem.self).send()
    /// } catch let problem as Problem {
    ///     show(problem.title)
    /// }
    /// ```
    ///
    /// The call's are asked before the endpoint's and the client's; the last one that was added first.
    public consuming func serverError<Failure: Error & Decodable>(_ type: Failure.Type) -> Call {
        serverError(.decoding(type))
    }

    /// Throws what `decode` makes of a response whose status is not taken; nil leaves it to those that were added before.
    public consuming func serverError(
        _ decode: @escaping @Sendable (BufferedResponse) throws -> (any Error)?
    ) -> Call {
        serverError(ServerErrorDecoder(decode))
    }

    /// Asks `decoder` first for the error of a response whose status is not taken.
    public consuming func serverError(_ decoder: ServerErrorDecoder) -> Call {
        serverErrors.append(decoder)
        return self
    }

    /// The server's own error; nil if nobody makes one of the response.
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
