// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension EKNetworkParityTests {
    /// Bodies, forms with files, and progress, as a server receives them.
    @Suite struct Bodies {
        private let received = Locked<[RawRequest]>([])

        private var request: RawRequest? { received.withLock { $0.last } }

        private func server() async throws -> ScriptedServer {
            let received = received
            return try await .answering { request in
                received.withLock { $0.append(request) }
                return RawRequest.response("201 Created")
            }
        }

        private func send(_ make: (Client) throws -> Call) async throws -> RawRequest {
            let server = try await server()
            try await make(server.client()).send()
            withExtendedLifetime(server) {}
            return try #require(request)
        }

        // MARK: Bodies

        @Test func sendsValueAsJSON() async throws {
            let request = try await send { $0.post("/tickets").json(Ticket(id: 7, from: "Bern")) }
            #expect(request["Content-Type"] == "application/json")
            #expect(request.text == #"{"from":"Bern","id":7}"#)
        }

        @Test func sendsRawDataWithContentType() async throws {
            let request = try await send { $0.put("/icon").body(Data([1, 2, 3]), contentType: "image/png") }
            #expect(request["Content-Type"] == "image/png")
            #expect(request["Content-Length"] == "3")
            #expect(request.body == [1, 2, 3])
        }

        /// EKNetwork takes an `InputStream`. Reprise takes any sequence of bytes, and reads it at the pace of the
        /// server.
        @Test func sendsStreamWithoutLength() async throws {
            let chunks = AsyncStream<[UInt8]> { continuation in
                for chunk in ["one", "two", "three"] { continuation.yield(Array(chunk.utf8)) }
                continuation.finish()
            }
            let request = try await send { $0.post("/log").body(chunks, contentType: "text/plain") }
            #expect(request["Transfer-Encoding"] == "chunked")
            #expect(request["Content-Length"] == nil)
            #expect(request.text == "onetwothree")
        }

        @Test func sendsForm() async throws {
            let request = try await send { $0.post("/session").form(["user": "ada&co", "pass": "a+b c", "none": nil]) }
            #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
            #expect(request.text == "user=ada%26co&pass=a%2Bb+c")
        }

        // MARK: Multipart

        @Test func sendsMultipartForm() async throws {
            let request = try await send { api in
                api.post("/photos").multipart {
                    $0.field("title", "Pass \"7\"")
                    $0.data("photo", Data([0xFF, 0, 13, 10]), filename: "a\\b\".png", type: "image/png")
                }
            }
            let form = try #require(ParsedForm(request.body, type: request["Content-Type"]))
            #expect(form.parts.map(\.name) == ["title", "photo"])
            #expect(form["title"]?.text == "Pass \"7\"")
            #expect(form["photo"]?.content == [0xFF, 0, 13, 10])
            #expect(form["photo"]?.type == "image/png")
            // Characters that would end the name are escaped.
            #expect(form["photo"]?.filename == "a\\b\".png")
            #expect(request.text.contains(#"filename="a\\b%22.png""#))
            #expect(request["Content-Length"] == "\(request.body.count)")
        }

        @Test func usesNewBoundaryForEachForm() async throws {
            let server = try await server()
            for _ in 0..<2 { try await server.client().post("/").multipart { $0.field("a", 1) }.send() }
            #expect(Set(received.withLock { $0.map { $0["Content-Type"] } }).count == 2)
            withExtendedLifetime(server) {}
        }

        @Test func rejectsBodyTogetherWithForm() async throws {
            let server = try await server()
            let call = server.client().post("/").json(["a": 1]).multipart { $0.field("b", 2) }
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .bodyConflict)
            #expect(request == nil)
        }

        @Test func errorNamesInvalidPart() async throws {
            let server = try await server()
            let call = server.client().post("/").multipart { $0.data("photo", [1], type: "image/\u{E9}") }
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .multipart)
            #expect(error?.message.contains("photo") == true)
            #expect(request == nil)
        }

        // MARK: Progress

        @Test func reportsUploadProgress() async throws {
            let fractions = Locked<[Double]>([])
            let content = [UInt8](repeating: 1, count: 500_000)
            let request = try await send { api in
                api.put("/photos/7").body(content).onProgress { progress in
                    guard progress.direction == .upload, let fraction = progress.fraction else { return }
                    fractions.withLock { $0.append(fraction) }
                }
            }
            #expect(request.body.count == content.count)
            let all = fractions.withLock { $0 }
            #expect(all.first == 0)
            #expect(all.last == 1)
            #expect(all == all.sorted())
        }

        #if canImport(Combine)
            @Test @MainActor func providesObservableProgress() async throws {
                let observer = ProgressObserver()
                let stub = StubTransport { $0.all { _ in .status(.ok) } }
                let api = Client("https://api.example.com", transport: stub)
                try await api.put("/photos/7").body([1, 2, 3]).onProgress(observer).send()
                while observer.upload?.fraction != 1 { await Task.yield() }
                #expect(observer.upload?.bytes == 3)
            }
        #endif
    }
}
