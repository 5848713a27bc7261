// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct CallStartTests {
    private let ada = ClosureTransport(body: #"{"name": "Ada"}"#)

    private struct User: Codable, Equatable {
        var name: String
    }

    /// The results that completion closures received, in order.
    private final class Completions<Value: Sendable>: Sendable {
        private let state = Locked<[Result<Value, any Error>]>([])
        let first = Signal()

        var all: [Result<Value, any Error>] { state.withLock { $0 } }

        func record(_ result: Result<Value, any Error>) {
            state.withLock { $0.append(result) }
            first.set()
        }
    }

    private func api(_ transport: some Transport) -> Client { Client("https://h", transport: transport) }

    @Test func completesOnMainActor() async throws {
        let completions = Completions<User>()
        api(ada).get("/").start(as: User.self) { result in
            MainActor.assertIsolated()
            completions.record(result)
        }
        await completions.first.wait()
        #expect(try completions.all.map { try $0.get() } == [User(name: "Ada")])
        let response = Completions<BufferedResponse>()
        api(ada).get("/").start { result in
            MainActor.assertIsolated()
            response.record(result)
        }
        await response.first.wait()
        #expect(try response.all.map { try $0.get().status } == [.ok])
    }

    @Test func completesOnGivenQueue() async throws {
        let queue = DispatchQueue(label: "test")
        let (user, response) = (Completions<User>(), Completions<BufferedResponse>())
        api(ada).get("/").start(on: queue) { (result: Result<User, any Error>) in
            dispatchPrecondition(condition: .onQueue(queue))
            user.record(result)
        }
        api(ada).get("/").start(on: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            response.record(result)
        }
        await user.first.wait()
        await response.first.wait()
        #expect(try user.all.map { try $0.get() } == [User(name: "Ada")])
        #expect(try response.all.map { try $0.get().text } == [#"{"name": "Ada"}"#])
    }

    private struct GetUser: Endpoint {
        typealias Response = User
        let path: Path = "/me"

        static func empty(_ response: BufferedResponse) -> User? { User(name: "nobody") }
    }

    @Test func deliversValueOfEndpoint() async throws {
        let completions = Completions<User>()
        api(ada).start(GetUser()) { result in
            MainActor.assertIsolated()
            completions.record(result)
        }
        await completions.first.wait()
        let queue = DispatchQueue(label: "test")
        let queued = Completions<User>()
        api(ClosureTransport()).start(GetUser(), on: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            queued.record(result)
        }
        await queued.first.wait()
        #expect(try completions.all.map { try $0.get() } == [User(name: "Ada")])
        #expect(try queued.all.map { try $0.get() } == [User(name: "nobody")])
        #expect(ada.requests.map(\.path) == ["/me"])
    }

    @Test func deliversFailureOfEndpoint() async throws {
        let completions = Completions<User>()
        api(ClosureTransport(.notFound)).start(GetUser()) { completions.record($0) }
        await completions.first.wait()
        #expect((completions.all.first?.failure as? ClientError)?.code == .status)
        let queued = Completions<User>()
        api(ClosureTransport(.notFound)).start(GetUser(), on: DispatchQueue(label: "test")) { queued.record($0) }
        await queued.first.wait()
        #expect((queued.all.first?.failure as? ClientError)?.code == .status)
    }

    /// Doesn't answer until the call is canceled.
    private func hanging(after started: Signal) -> ClosureTransport {
        ClosureTransport { _, _, _ throws(TransportError) in
            started.set()
            await forever()
            throw TransportError(.reset, "the connection was closed")
        }
    }

    @Test func deliversCancellationOfEndpoint() async throws {
        let started = Signal()
        let transport = hanging(after: started)
        let completions = Completions<User>()
        let call = api(transport).start(GetUser()) { completions.record($0) }
        await started.wait()
        call.cancel()
        await completions.first.wait()
        #expect((completions.all.first?.failure as? ClientError)?.code == .cancelled)
    }

    @Test func deliversFailure() async throws {
        let completions = Completions<User>()
        api(ClosureTransport(.notFound)).get("/a").start { completions.record($0) }
        await completions.first.wait()
        let error = try #require(completions.all.first?.failure as? ClientError)
        #expect(error.code == .status)
        #expect(error.request?.path == "/a")
        let early = Completions<User>()
        api(ada).get("/../a").start { early.record($0) }
        await early.first.wait()
        #expect((early.all.first?.failure as? ClientError)?.code == .invalidURL)
    }

    @Test func deliversCancellationOnce() async throws {
        let started = Signal()
        let transport = hanging(after: started)
        let completions = Completions<User>()
        let call = api(transport).get("/").retry(.fixed()).start { completions.record($0) }
        await started.wait()
        call.cancel()
        call.cancel()
        await completions.first.wait()
        #expect((completions.all.first?.failure as? ClientError)?.code == .cancelled)
        call.cancel()
        // A second completion would have arrived by now.
        await MainActor.run {}
        #expect(completions.all.count == 1)
    }

    @Test func completesOnceWhenCancellationRaces() async {
        for _ in 0..<200 {
            let completions = Completions<BufferedResponse>()
            let call = api(ada).get("/").start { completions.record($0) }
            let canceller = Task { call.cancel() }
            await completions.first.wait()
            await canceller.value
            await MainActor.run {}
            #expect(completions.all.count == 1)
        }
    }

    @Test func completesWhenStartedCallIsDiscarded() async {
        let completions = Completions<BufferedResponse>()
        do { _ = api(ada).get("/").start { completions.record($0) } }
        await completions.first.wait()
        #expect(completions.all.count == 1)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
