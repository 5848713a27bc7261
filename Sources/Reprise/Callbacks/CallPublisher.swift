// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    public import Combine
    public import Foundation
    private import RepriseLocking

    extension Call {
        /// Returns a publisher of the decoded value of the response.
        ///
        /// Nothing is sent until a subscriber requests a value. Each subscriber has its own call, which is canceled
        /// with the subscription.
        ///
        /// - Parameter type: The type to decode the content as.
        public func publisher<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> CallPublisher<Value> {
            CallPublisher { try await value() }
        }

        /// Returns a publisher of the response's content, without decoding it.
        public func publisher(as type: Data.Type) -> CallPublisher<Data> {
            CallPublisher { try await send().data }
        }
    }

    /// A publisher that sends a call for each subscriber.
    public struct CallPublisher<Output: Sendable>: Publisher {
        /// The errors that the call throws.
        public typealias Failure = any Error

        private let call: @Sendable () async throws -> Output

        init(_ call: @escaping @Sendable () async throws -> Output) {
            self.call = call
        }

        /// Sends a call for the subscriber as soon as it requests a value.
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

    /// Receives the result of a call.
    ///
    /// `@unchecked` because subscribers are not declared `Sendable`. The receiver is called once, by one task, and is
    /// protected by a lock until then.
    private struct CallReceiver<Output: Sendable>: @unchecked Sendable {
        let receive: (Result<Output, any Error>) -> Void
    }

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
            // The subscriber is released outside of the lock, because its deinitializer may call back.
            let (receiver, task) = state.withLock { state in
                defer { state.receiver = nil }
                return (state.receiver, state.task)
            }
            withExtendedLifetime(receiver) { task?.cancel() }
        }

        private func run() async {
            let result = await Result(of: call)
            takeReceiver()?.receive(result)
        }

        /// Removes the receiver and returns it. Returns nil if the subscription was canceled or the result was
        /// already delivered.
        private func takeReceiver() -> CallReceiver<Output>? {
            state.withLock { state in
                defer { state.receiver = nil }
                return state.receiver
            }
        }
    }
#endif
