// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    public import Combine
    public import Foundation
    private import RepriseLocking

    extension Call {
        /// The call as a publisher of the value of its response.
        ///
        /// Nothing is sent until someone subscribes; each subscriber has a call of its own, which ends when the
        /// subscription is cancelled.
        ///
        /// - Parameter type: what the content is to be.
        public func publisher<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> CallPublisher<Value> {
            CallPublisher { try await value() }
        }

        /// The call as a publisher of the content of its response as it is.
        public func publisher(as type: Data.Type) -> CallPublisher<Data> {
            CallPublisher { try await response().data }
        }
    }

    /// A call that is made for each subscriber.
    public struct CallPublisher<Output: Sendable>: Publisher {
        /// What the call throws.
        public typealias Failure = any Error

        private let call: @Sendable () async throws -> Output

        init(_ call: @escaping @Sendable () async throws -> Output) {
            self.call = call
        }

        /// Makes a call for the subscriber, as soon as it asks for a value.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            let receiver = CallReceiver<Output> { result in
                switch result {
                case .success(let value):
                    _ = subscriber.receive(value)
                    subscriber.receive(completion: .finished)
                case .failure(let error):
                    subscriber.receive(completion: .failure(error))
                }
            }
            subscriber.receive(subscription: CallSubscription(call, receiver))
        }
    }

    /// Who is told what became of a call.
    ///
    /// `@unchecked` because subscribers say nothing of threads: this one is called by one task, once, and is held in a
    /// lock until then.
    private struct CallReceiver<Output: Sendable>: @unchecked Sendable {
        let receive: (Result<Output, any Error>) -> Void
    }

    /// One subscriber's call.
    private final class CallSubscription<Output: Sendable>: Subscription, Sendable {
        private struct State {
            var receiver: CallReceiver<Output>?
            var task: Task<Void, Never>?
        }

        private let call: @Sendable () async throws -> Output
        private let state: Locked<State>

        init(_ call: @escaping @Sendable () async throws -> Output, _ receiver: CallReceiver<Output>) {
            self.call = call
            state = Locked(State(receiver: receiver))
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            state.withLock { state in
                guard state.receiver != nil, state.task == nil else { return }
                state.task = Task { await run() }
            }
        }

        func cancel() {
            // The subscriber is let go of outside of the lock: its end may call back.
            let (receiver, task) = state.withLock { state in
                defer { state.receiver = nil }
                return (state.receiver, state.task)
            }
            withExtendedLifetime(receiver) { task?.cancel() }
        }

        private func run() async {
            let result: Result<Output, any Error>
            do {
                result = .success(try await call())
            } catch {
                result = .failure(error)
            }
            takeReceiver()?.receive(result)
        }

        /// Who is to be told: nobody who has cancelled, nor a second time.
        private func takeReceiver() -> CallReceiver<Output>? {
            state.withLock { state in
                defer { state.receiver = nil }
                return state.receiver
            }
        }
    }
#endif
