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

    /// What closures were told, in order.
    private final class Told<Value: Sendable>: Sendable {
        private let state = Locked<[Result<Value, any Error>]>([])
        let first = Signal()

        var all: [Result<Value, any Error>] { state.withLock { $0 } }

        func tell(_ result: Result<Value, any Error>) {
            state.withLock { $0.append(result) }
            first.set()
        }
    }

    private func api(_ transport: some Transport) -> Client { Client("https://h", transport: transport) }

    @Test func tellsTheMainActor() async throws {
        let told = Told<User>()
        api(ada).get("/").start(as: User.self) { result in
            MainActor.assertIsolated()
            told.tell(result)
        }
        await told.first.wait()
        #expect(try told.all.map { try $0.get() } == [User(name: "Ada")])
        let response = Told<BufferedResponse>()
        api(ada).get("/").start { result in
            MainActor.assertIsolated()
            response.tell(result)
        }
        await response.first.wait()
        #expect(try response.all.map { try $0.get().status } == [.ok])
    }

    @Test func tellsTheQueueThatItIsGiven() async throws {
        let queue = DispatchQueue(label: "test")
        let (user, response) = (Told<User>(), Told<BufferedResponse>())
        api(ada).get("/").start(on: queue) { (result: Result<User, any Error>) in
            dispatchPrecondition(condition: .onQueue(queue))
            user.tell(result)
        }
        api(ada).get("/").start(on: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            response.tell(result)
        }
        await user.first.wait()
        await response.first.wait()
        #expect(try user.all.map { try $0.get() } == [User(name: "Ada")])
        #expect(try response.all.map { try $0.get().text } == [#"{"name": "Ada"}"#])
    }

    private struct GetUser: Endpoint {
        typealias Response = User
        let path = "/me"

        static func empty(_ response: BufferedResponse) -> User? { User(name: "nobody") }
    }

    @Test func tellsWhatAnEndpointAnswers() async throws {
        let told = Told<User>()
        api(ada).start(GetUser()) { result in
            MainActor.assertIsolated()
            told.tell(result)
        }
        await told.first.wait()
        let queue = DispatchQueue(label: "test")
        let queued = Told<User>()
        api(ClosureTransport()).start(GetUser(), on: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            queued.tell(result)
        }
        await queued.first.wait()
        #expect(try told.all.map { try $0.get() } == [User(name: "Ada")])
        #expect(try queued.all.map { try $0.get() } == [User(name: "nobody")])
        #expect(ada.requests.map(\.path) == ["/me"])
    }

    @Test func tellsOfTheFailureOfAnEndpoint() async throws {
        let told = Told<User>()
        api(ClosureTransport(.notFound)).start(GetUser()) { told.tell($0) }
        await told.first.wait()
        #expect((told.all.first?.failure as? ClientError)?.code == .status)
        let queued = Told<User>()
        api(ClosureTransport(.notFound)).start(GetUser(), on: DispatchQueue(label: "test")) { queued.tell($0) }
        await queued.first.wait()
        #expect((queued.all.first?.failure as? ClientError)?.code == .status)
    }

    /// It never answers, until the call is cancelled.
    private func hanging(after started: Signal) -> ClosureTransport {
        ClosureTransport { _, _, _ throws(TransportError) in
            started.set()
            await forever()
            throw TransportError(.reset, "the connection was closed")
        }
    }

    @Test func tellsOfTheCancellationOfAnEndpoint() async throws {
        let started = Signal()
        let transport = hanging(after: started)
        let told = Told<User>()
        let call = api(transport).start(GetUser()) { told.tell($0) }
        await started.wait()
        call.cancel()
        await told.first.wait()
        #expect((told.all.first?.failure as? ClientError)?.code == .cancelled)
    }

    @Test func tellsOfAFailure() async throws {
        let told = Told<User>()
        api(ClosureTransport(.notFound)).get("/a").start { told.tell($0) }
        await told.first.wait()
        let error = try #require(told.all.first?.failure as? ClientError)
        #expect(error.code == .status)
        #expect(error.request?.path == "/a")
        let early = Told<User>()
        api(ada).get("/../a").start { early.tell($0) }
        await early.first.wait()
        #expect((early.all.first?.failure as? ClientError)?.code == .invalidURL)
    }

    @Test func tellsOfACancellationOnce() async throws {
        let started = Signal()
        let transport = hanging(after: started)
        let told = Told<User>()
        let call = api(transport).get("/").retry(.fixed()).start { told.tell($0) }
        await started.wait()
        call.cancel()
        call.cancel()
        await told.first.wait()
        #expect((told.all.first?.failure as? ClientError)?.code == .cancelled)
        call.cancel()
        // What came after it would have come by now.
        await MainActor.run {}
        #expect(told.all.count == 1)
    }

    @Test func tellsOnceHoweverCancellingRaces() async {
        for _ in 0..<200 {
            let told = Told<BufferedResponse>()
            let call = api(ada).get("/").start { told.tell($0) }
            let canceller = Task { call.cancel() }
            await told.first.wait()
            await canceller.value
            await MainActor.run {}
            #expect(told.all.count == 1)
        }
    }

    @Test func goesOnWithoutTheCallThatWasStarted() async {
        let told = Told<BufferedResponse>()
        do { _ = api(ada).get("/").start { told.tell($0) } }
        await told.first.wait()
        #expect(told.all.count == 1)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
