// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    import Combine
    import Foundation
    import RepriseLocking
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    @Suite(.timeLimit(.minutes(5))) struct CallPublisherTests {
        private func api(_ transport: some Transport) -> Client { Client("https://h", transport: transport) }

        @Test func isColdAndSendsForEachSubscriber() async throws {
            let transport = ClosureTransport(body: "[1]")
            let publisher = api(transport).get("/").publisher(as: [Int].self)
            #expect(transport.requests.isEmpty)
            for try await value in publisher.values { #expect(value == [1]) }
            for try await value in publisher.values { #expect(value == [1]) }
            #expect(transport.requests.count == 2)
        }

        @Test func deliversDataUnchanged() async throws {
            for try await data in api(ClosureTransport(body: "raw")).get("/").publisher(as: Data.self).values {
                #expect(data == Data("raw".utf8))
            }
        }

        @Test func failsWithErrorOfCall() async {
            let publisher = api(ClosureTransport(.notFound)).get("/").publisher(as: [Int].self)
            let error = await #expect(throws: ClientError.self) { for try await _ in publisher.values {} }
            #expect(error?.code == .status)
        }

        @Test func cancelsRequestWithSubscription() async {
            let (started, ended) = (Signal(), Signal())
            let transport = ClosureTransport { _, _, _ throws(TransportError) in
                started.set()
                await forever()
                ended.set()
                throw TransportError(.cancelled, "so")
            }
            let completions = Locked(0)
            let subscription = api(transport).get("/").publisher(as: [Int].self)
                .sink { _ in
                    completions.withLock { $0 += 1 }
                } receiveValue: { _ in
                }
            await started.wait()
            subscription.cancel()
            await ended.wait()
            #expect(completions.withLock { $0 } == 0)
        }
    }
#endif
