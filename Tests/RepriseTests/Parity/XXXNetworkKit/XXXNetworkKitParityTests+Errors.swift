// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

extension XXXNetworkKitParityTests {
    /// The documentation's order of catch clauses, from specific to general.
    @Suite struct Errors {
        private struct Unrelated: Error {}

        private enum Shown: Equatable {
            case done
            case serverException
            case connection
            case network(ClientError.Code)
            case other
        }

        private func shown(_ answer: StubTransport.Answer, _ interceptors: any Interceptor...) async -> Shown {
            let stub = StubTransport { $0.all { _ in answer } }
            let configuration = Client.Configuration(interceptors: interceptors)
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            do {
                try await api.call(HarbourAPI.Pilots.me).send(in: HarbourResponse.self)
                return .done
            } catch HarbourError.serverException {
                return .serverException
            } catch let error as ClientError where error.isConnectivity {
                return .connection
            } catch let error as ClientError {
                return .network(error.code)
            } catch {
                return .other
            }
        }

        @Test func areCaughtFromSpecificToGeneral() async {
            #expect(await shown(.json(XXXNetworkKitParityTests.me)) == .done)
            #expect(await shown(.json(#"{"code": 9002, "message": "down"}"#)) == .serverException)
            #expect(await shown(.failure(.connectionRefused)) == .connection)
            #expect(await shown(.failure(.timedOut)) == .connection)
            #expect(await shown(.status(.notFound)) == .network(.status))
            #expect(await shown(.json(#"{"code": 4711}"#)) == .network(.business))
            #expect(await shown(.json("{}"), ClosureInterceptor(before: { _ in throw Unrelated() })) == .other)
        }

        /// XXXNetworkKit treats every transport error as a lost connection, even a cancellation or a rejected
        /// certificate.
        @Test(arguments: [TransportError.Code.cancelled, .tls, .pinning, .malformedResponse])
        func otherFailuresAreNotConnectivityErrors(code: TransportError.Code) async {
            let shown = await shown(.failure(code))
            #expect(shown != .connection)
            #expect(shown != .other)
        }

        /// XXXNetworkKit preserves only the code of an unknown error.
        @Test func unknownCodePreservesMessageAndRequestID() async {
            let stub = StubTransport {
                $0.all { _ in .json(#"{"code": 4711, "message": "no berth", "request_id": "r-9"}"#) }
            }
            let error = await #expect(throws: ClientError.self) {
                try await Client("https://api.example.com", transport: stub).call(HarbourAPI.Berths.list)
                    .send(in: HarbourResponse.self)
            }
            #expect(error?.business == BusinessError(code: 4711, message: "no berth", requestID: "r-9"))
            #expect(error?.localizedDescription.contains("code 4711: no berth (request r-9)") == true)
            #expect(error?.response?.status == .ok)
        }

        /// XXXNetworkKit drops the message of a known error.
        @Test func knownCodeCanPreserveMessage() async {
            struct Refused: Error {
                var failure: BusinessError
            }
            struct Reply: Envelope {
                let code: BusinessCode
                let message: String?

                static func error(for failure: BusinessError) -> (any Error)? { Refused(failure: failure) }
            }
            let stub = StubTransport { $0.all { _ in .json(#"{"code": 9001, "message": "sign in"}"#) } }
            let error = await #expect(throws: Refused.self) {
                try await Client("https://api.example.com", transport: stub).get("/").send(in: Reply.self)
            }
            #expect(error?.failure.code == 9001)
            #expect(error?.failure.message == "sign in")
        }
    }
}
