// SPDX-License-Identifier: Apache-2.0

/// Resolves host names to addresses without blocking a loop, by calling the system's `getaddrinfo` on separate
/// threads.
///
/// A numeric address needs no thread. Concurrent lookups of the same name share one system call. Answers are not
/// cached, because only the system's own cache knows how long they remain valid.
///
/// The threads end when no lookups are left. A resolver that is released still answers the lookups it has accepted.
public final class HostResolver: Sendable {
    private let questions = Locked(ResolutionQueue())

    /// Creates a resolver. Threads start with the first lookup.
    public init() {}

    /// Resolves a host name.
    ///
    /// - Parameters:
    ///   - host: A name, or a numeric address with or without brackets.
    ///   - port: The port to include in the addresses.
    ///   - loop: The loop that runs `completion`, always after this call has returned.
    ///   - completion: Called with at least one address, in the system's order of preference (RFC 6724), or with an
    ///     error.
    /// - Returns: A token that cancels the lookup.
    @discardableResult
    public func resolve(
        _ host: String,
        port: UInt16,
        on loop: EventLoop,
        then completion: @escaping @Sendable (Result<[SocketAddress], ResolutionError>) -> Void
    ) -> ResolutionToken {
        if let address = SocketAddress.literal(host, port: port) {
            let token = ResolutionToken(loop: loop, completion: completion)
            token.answer(.success([address]))
            return token
        }
        let token = ResolutionToken(loop: loop) { answer in
            completion(answer.map { $0.map { $0.with(port: Int(port)) } })
        }
        if questions.withLock({ $0.add(token, host: host) }) { startThread() }
        return token
    }

    private func startThread() {
        do throws(SystemError) {
            // Captures `questions` instead of `self`, because the threads may outlive the resolver.
            try SystemThread(name: "resolver") { [questions] in Self.run(questions) }.detach()
        } catch {
            for (host, tokens) in questions.withLock({ $0.threadFailedToStart() }) {
                for token in tokens { token.answer(.failure(ResolutionError(error, host: host))) }
            }
        }
    }

    private static func run(_ questions: Locked<ResolutionQueue>) {
        while let host = questions.withLock({ $0.next() }) {
            let (code, addresses) = SocketAddress.lookUp(host, port: 0)
            // A name without an address counts as unknown.
            let answer: ResolutionToken.Answer =
                addresses.isEmpty ? .failure(ResolutionError(code: code, host: host)) : .success(addresses)
            for token in questions.withLock({ $0.finish(host) }) { token.answer(answer) }
        }
    }
}
