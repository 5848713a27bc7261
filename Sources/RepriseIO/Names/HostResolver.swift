// SPDX-License-Identifier: Apache-2.0

/// Finds the addresses of host names without blocking a loop: the system's `getaddrinfo` on threads of its own.
///
/// A numeric address needs no thread. Questions for one name that are open at the same time are asked once. Nothing is
/// remembered once a question is answered: what may be remembered for how long is known to the system's own cache.
///
/// The threads end when there is nothing to ask; a resolver that is let go of still answers what it was asked before.
public final class HostResolver: Sendable {
    private let questions = Locked(ResolutionQueue())

    /// A resolver without threads yet.
    public init() {}

    /// Finds the addresses of a host.
    ///
    /// - Parameters:
    ///   - host: a name, or a numeric address with or without brackets.
    ///   - port: goes into the addresses.
    ///   - loop: where the answer comes, after this call has returned.
    ///   - completion: gets the addresses in the system's order of preference (RFC 6724), at least one.
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
            // Not `self`: the threads may outlive it.
            try SystemThread(name: "resolver") { [questions] in Self.run(questions) }.detach()
        } catch {
            for (host, tokens) in questions.withLock({ $0.threadIsMissing() }) {
                for token in tokens { token.answer(.failure(ResolutionError(error, host: host))) }
            }
        }
    }

    private static func run(_ questions: Locked<ResolutionQueue>) {
        while let host = questions.withLock({ $0.next() }) {
            let (code, addresses) = SocketAddress.lookUp(host, port: 0)
            // No address is as good as no name.
            let answer: ResolutionToken.Answer =
                addresses.isEmpty ? .failure(ResolutionError(code: code, host: host)) : .success(addresses)
            for token in questions.withLock({ $0.finish(host) }) { token.answer(answer) }
        }
    }
}
