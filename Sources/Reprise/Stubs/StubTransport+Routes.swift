// SPDX-License-Identifier: Apache-2.0

extension StubTransport {
    /// The routes of a ``StubTransport``: patterns of requests, each with its answers.
    ///
    /// A path can have parameters, which match any nonempty segment, as in `/users/{id}`. Closures read them with
    /// ``StubTransport/Request/subscript(_:)``. Percent-escapes are decoded on both sides, segment by segment. A path
    /// without a query matches any query. A path with a query (`/users?page=2`) matches exactly the same pairs, in
    /// any order. A complete URL (`https://example.com/users`) matches only that origin, and a path matches any
    /// origin.
    ///
    /// If several routes match, these rules decide which one answers, in this order:
    ///
    /// 1. A path without parameters takes precedence over one with parameters.
    /// 2. A path with a query takes precedence over one without.
    /// 3. A URL takes precedence over a path.
    /// 4. A route for one method takes precedence over one for any method.
    /// 5. A later route takes precedence over an earlier one.
    ///
    /// A test can therefore replace a shared default by adding routes to a copy.
    public struct Routes: Sendable {
        var list: [Route] = []

        /// Creates an empty list of routes.
        public init() {}

        /// Answers `method` requests for `path`.
        ///
        /// - Parameters:
        ///   - method: The method, or nil for any method.
        ///   - path: A path or URL.
        ///   - answers: The answers to successive requests. The last one is repeated for all further requests. If
        ///     there are none, the answer is 200 without content.
        public mutating func on(_ method: HTTPRequest.Method?, _ path: String, _ answers: Answer...) {
            on(method, path, answers)
        }

        /// Answers `method` requests for `path`, with the answers in an array.
        public mutating func on(_ method: HTTPRequest.Method?, _ path: String, _ answers: [Answer]) {
            add(method, path, .list(answers))
        }

        /// Answers `method` requests for `path` with the result of `answer`.
        ///
        /// If `answer` throws a ``TransportError``, the request fails with it. Any other error is wrapped in a
        /// ``TransportError`` with the code ``TransportError/Code/other``.
        public mutating func on(
            _ method: HTTPRequest.Method?,
            _ path: String,
            answer: @escaping @Sendable (Request) async throws -> Answer
        ) {
            add(method, path, .closure(answer))
        }

        /// Answers all requests that no other route answers.
        public mutating func all(answer: @escaping @Sendable (Request) async throws -> Answer) {
            list.append(Route(pattern: .all, answers: .closure(answer)))
        }

        fileprivate mutating func add(_ method: HTTPRequest.Method?, _ path: String, _ answers: Route.Answers) {
            list.append(Route(pattern: StubPattern(method, path), answers: answers))
        }

        var bySpecificity: [Route] {
            // The sort is stable, so of equally specific routes, the later one stays first.
            list.reversed().sorted { $0.pattern.specificity > $1.pattern.specificity }
        }
    }

    /// A pattern with its answers.
    struct Route: Sendable {
        let pattern: StubPattern
        let answers: Answers

        enum Answers: Sendable {
            case list([Answer])
            case closure(@Sendable (Request) async throws -> Answer)
        }

        /// Returns the answer to a request, after `count` earlier requests to this route.
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
    /// Answers GET requests for `path`. See `on(_:_:_:)`.
    public mutating func get(_ path: String, _ answers: StubTransport.Answer...) {
        add(.get, path, .list(answers))
    }

    /// Answers GET requests for `path` with the result of `answer`.
    public mutating func get(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.get, path, .closure(answer))
    }

    /// Answers HEAD requests for `path`. See `on(_:_:_:)`.
    public mutating func head(_ path: String, _ answers: StubTransport.Answer...) {
        add(.head, path, .list(answers))
    }

    /// Answers POST requests for `path`. See `on(_:_:_:)`.
    public mutating func post(_ path: String, _ answers: StubTransport.Answer...) {
        add(.post, path, .list(answers))
    }

    /// Answers POST requests for `path` with the result of `answer`.
    public mutating func post(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.post, path, .closure(answer))
    }

    /// Answers PUT requests for `path`. See `on(_:_:_:)`.
    public mutating func put(_ path: String, _ answers: StubTransport.Answer...) {
        add(.put, path, .list(answers))
    }

    /// Answers PUT requests for `path` with the result of `answer`.
    public mutating func put(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.put, path, .closure(answer))
    }

    /// Answers PATCH requests for `path`. See `on(_:_:_:)`.
    public mutating func patch(_ path: String, _ answers: StubTransport.Answer...) {
        add(.patch, path, .list(answers))
    }

    /// Answers PATCH requests for `path` with the result of `answer`.
    public mutating func patch(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.patch, path, .closure(answer))
    }

    /// Answers DELETE requests for `path`. See `on(_:_:_:)`.
    public mutating func delete(_ path: String, _ answers: StubTransport.Answer...) {
        add(.delete, path, .list(answers))
    }

    /// Answers DELETE requests for `path` with the result of `answer`.
    public mutating func delete(
        _ path: String,
        answer: @escaping @Sendable (StubTransport.Request) async throws -> StubTransport.Answer
    ) {
        add(.delete, path, .closure(answer))
    }
}
