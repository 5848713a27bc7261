// SPDX-License-Identifier: Apache-2.0

extension StubTransport {
    /// What a ``StubTransport`` answers: patterns of requests, each with its answers.
    ///
    /// A path may have parameters (`/users/{id}`: any one segment that is not empty), which closures read with
    /// ``StubTransport/Request/subscript(_:)``. Percent-escapes are decoded on both sides, segment by segment. Without a
    /// query it matches any; with one (`/users?page=2`) the same pairs in any order and no others. A whole URL
    /// (`https://example.com/users`) matches that origin alone, a path any.
    ///
    /// Of the routes that match, a path without parameters wins over one with, then a query over none, then a URL over a
    /// path, and at last what was added later over what was there: a test replaces a shared default by adding to a copy.
    public struct Routes: Sendable {
        var list: [Route] = []

        /// No routes.
        public init() {}

        /// Answers `method` on `path`.
        ///
        /// - Parameters:
        ///   - method: nil for any method.
        ///   - path: a path, or a URL.
        ///   - answers: one for each request in turn; the last one for all that follow. Without any: 200, no content.
        public mutating func on(_ method: HTTPRequest.Method?, _ path: String, _ answers: Answer...) {
            on(method, path, answers)
        }

        /// Answers `method` on `path`, the answers in an array.
        public mutating func on(_ method: HTTPRequest.Method?, _ path: String, _ answers: [Answer]) {
            add(method, path, .list(answers))
        }

        /// Answers `method` on `path` with what `answer` returns.
        ///
        /// A ``TransportError`` that `answer` throws is what the request fails with; anything else becomes one with the
        /// code ``TransportError/Code/other``.
        public mutating func on(
            _ method: HTTPRequest.Method?,
            _ path: String,
            answer: @escaping @Sendable (Request) async throws -> Answer
        ) {
            add(method, path, .closure(answer))
        }

        /// Answers what no other route does.
        public mutating func all(answer: @escaping @Sendable (Request) async throws -> Answer) {
            list.append(Route(pattern: .all, answers: .closure(answer)))
        }

        fileprivate mutating func add(_ method: HTTPRequest.Method?, _ path: String, _ answers: Route.Answers) {
            list.append(Route(pattern: StubPattern(method, path), answers: answers))
        }

        var bySpecificity: [Route] {
            // The sort is stable, so what was added later stays in front of its equals.
            list.reversed().sorted { $0.pattern.specificity > $1.pattern.specificity }
        }
    }

    /// A pattern and what answers it.
    struct Route: Sendable {
        let pattern: StubPattern
        let answers: Answers

        enum Answers: Sendable {
            case list([Answer])
            case closure(@Sendable (Request) async throws -> Answer)
        }

        /// The answer to a request, if `count` were answered before it.
        func answer(to request: Request, count: Int) async throws(TransportError) -> Answer {
            switch answers {
            case .list(let answers):
                return answers.isEmpty ? .status(.ok) : answers[min(count, answers.count - 1)]
            case .closure(let answer):
                do {
                    return try await answer(request)
                } catch let error as TransportError {
                    throw error
                } catch is CancellationError {
                    throw .cancelledInStub
                } catch {
                    throw TransportError(.other, "the stub for \(pattern) threw: \(error)", underlying: error)
                }
            }
        }
    }
}

extension StubTransport.Routes {
    /// Answers GET on `path`; see `on(_:_:_:)`.
    public mutating func get(_ path: String, _ answers: StubTransport.Answer...) {
        add(.get, path, .list(answers))
    }

    /// Answers GET on `path` with what `answer` returns.
    public mutating func get(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.get, path, .closure(answer))
    }

    /// Answers HEAD on `path`; see `on(_:_:_:)`.
    public mutating func head(_ path: String, _ answers: StubTransport.Answer...) {
        add(.head, path, .list(answers))
    }

    /// Answers POST on `path`; see `on(_:_:_:)`.
    public mutating func post(_ path: String, _ answers: StubTransport.Answer...) {
        add(.post, path, .list(answers))
    }

    /// Answers POST on `path` with what `answer` returns.
    public mutating func post(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.post, path, .closure(answer))
    }

    /// Answers PUT on `path`; see `on(_:_:_:)`.
    public mutating func put(_ path: String, _ answers: StubTransport.Answer...) {
        add(.put, path, .list(answers))
    }

    /// Answers PUT on `path` with what `answer` returns.
    public mutating func put(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.put, path, .closure(answer))
    }

    /// Answers PATCH on `path`; see `on(_:_:_:)`.
    public mutating func patch(_ path: String, _ answers: StubTransport.Answer...) {
        add(.patch, path, .list(answers))
    }

    /// Answers PATCH on `path` with what `answer` returns.
    public mutating func patch(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.patch, path, .closure(answer))
    }

    /// Answers DELETE on `path`; see `on(_:_:_:)`.
    public mutating func delete(_ path: String, _ answers: StubTransport.Answer...) {
        add(.delete, path, .list(answers))
    }

    /// Answers DELETE on `path` with what `answer` returns.
    public mutating func delete(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.delete, path, .closure(answer))
    }
}
