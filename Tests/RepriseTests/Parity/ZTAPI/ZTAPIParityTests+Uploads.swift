// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Uploads of files and data, over real connections.
    @Suite struct Uploads {
        private let folder = try! TemporaryFolder()
        private let leaf = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

        /// A server that answers with the size of the request body.
        private func site() async throws -> Site {
            try await Site.start { request, _ in Site.json(#"{"size": \#(request.body.count)}"#) }
        }

        private func form(_ site: Site) throws -> ParsedForm {
            let request = try #require(site.requests.first)
            return try #require(ParsedForm(request.body, type: request["Content-Type"]))
        }

        private func expectAnswer(_ json: JSONValue, of site: Site) {
            #expect(json["size"].int == site.requests.first?.body.count)
        }

        @Test func uploadsDataAndReportsProgress() async throws {
            let site = try await site()
            let fractions = Locked<[Double]>([])
            let answer = try await site.client().post("/leaves")
                .multipart { $0.data("leaf", leaf, filename: "fern.jpg") }
                .onProgress { progress in
                    guard progress.direction == .upload else { return }
                    fractions.withLock { $0.append(progress.fraction ?? -1) }
                }
                .json()
            expectAnswer(answer, of: site)
            let part = try #require(try form(site)["leaf"])
            #expect(part == .init(name: "leaf", filename: "fern.jpg", type: "image/jpeg", content: leaf))
            let seen = fractions.withLock { $0 }
            #expect(seen.first == 0)
            #expect(seen.last == 1)
            #expect(seen == seen.sorted())
        }

        @Test func uploadsFile() async throws {
            let site = try await site()
            let file = try folder.file("diary.txt", Array("day one".utf8))
            expectAnswer(try await site.client().post("/diary").multipart { $0.file("page", file) }.json(), of: site)
            let part = try #require(try form(site)["page"])
            #expect(
                part == .init(name: "page", filename: "diary.txt", type: "text/plain", content: Array("day one".utf8))
            )
        }

        @Test func uploadsDataAndFilesWithParameters() async throws {
            let site = try await site()
            let plan = try folder.file("plan.pdf", Array("%PDF".utf8))
            let answer = try await site.client().post("/beds")
                .multipart {
                    $0.data("leaf", leaf, filename: "fern.jpg")
                    $0.file("plan", plan)
                }
                .parameters(["bed": 7, "keeper": "Ada"])
                .json()
            expectAnswer(answer, of: site)
            let form = try form(site)
            #expect(form.parts.map(\.name) == ["leaf", "plan", "bed", "keeper"])
            #expect(form["plan"]?.type == "application/pdf")
            #expect(form["bed"]?.text == "7")
            #expect(form["keeper"]?.text == "Ada")
        }

        @Test func uploadsFilesWithSameNameAndFields() async throws {
            let site = try await site()
            let answer = try await site.client().post("/beds").multipart {
                $0.data("notes", Array("one".utf8), filename: "1.txt")
                $0.data("notes", Array("two".utf8), filename: "2.txt")
                $0.json("about", ["bed": 7])
            }
            .json()
            expectAnswer(answer, of: site)
            let form = try form(site)
            #expect(form.parts.map(\.name) == ["notes", "notes", "about"])
            #expect(form.parts.map(\.filename) == ["1.txt", "2.txt", nil])
            #expect(form.parts.map(\.type) == ["text/plain", "text/plain", "application/json"])
            #expect(form.parts.map(\.text) == ["one", "two", #"{"bed":7}"#])
        }

        @Test func uploadsRawBody() async throws {
            let site = try await site()
            let call = site.client().post("/raw").body(leaf).header(.contentType, "application/octet-stream")
            expectAnswer(try await call.json(), of: site)
            #expect(site.requests[0].body == leaf)
            #expect(site.requests[0]["Content-Type"] == "application/octet-stream")
            #expect(site.requests[0]["Content-Length"] == "200000")
        }

        @Test func uploadsWithAnyMediaType() async throws {
            let site = try await site()
            let answer = try await site.client().post("/seeds")
                .multipart { $0.data("seed", [1, 2, 3], type: "application/vnd.garden.seed") }.json()
            expectAnswer(answer, of: site)
            #expect(try form(site)["seed"]?.type == "application/vnd.garden.seed")
            #expect(try form(site)["seed"]?.content == [1, 2, 3])
        }
    }
}
