// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// The examples of ZTAPI's documentation, chapter by chapter, written with Reprise. Each further chapter is in a file
/// of its own.
@Suite struct ZTAPIParityTests {
    struct Plant: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    /// Every modifier of a call in one chain, over a real connection.
    @Test func chainsAllModifiers() async throws {
        let site = try await Site.start { _, number in
            number == 1 ? Site.response("503 Service Unavailable") : Site.json(#"{"id": 7, "name": "Fern"}"#)
        }
        let clock = ManualClock(passesBySleeping: true)
        let sent = Locked<[String]>([])
        let fractions = Locked<[Double]>([])
        let noting = { (name: String) in ClosureInterceptor(before: { _ in sent.withLock { $0.append(name) } }) }
        let leaf = [UInt8](repeating: 0x6C, count: 50_000)

        let plant: Plant = try await site.client(.init(clock: clock)).post("/plants")
            .query("season", "spring")
            .parameters(["bed": 7, "note": "from seed"])
            .header(.authorization, "Bearer trowel")
            .timeout(.seconds(180))
            .retry(.exponential(attempts: 3, jitter: .none).also(.post))
            .multipart { $0.data("leaf", leaf, filename: "leaf.jpg") }
            .onProgress { progress in
                guard progress.direction == .upload, progress.round == 2 else { return }
                fractions.withLock { $0.append(progress.fraction ?? -1) }
            }
            .intercept(noting("log"))
            .intercept(noting("sign"))
            .value()

        #expect(plant == Plant(id: 7, name: "Fern"))
        #expect(site.requests.map(\.target) == ["/plants?season=spring", "/plants?season=spring"])
        #expect(site.requests.map { $0["Authorization"] } == ["Bearer trowel", "Bearer trowel"])
        let form = try #require(ParsedForm(site.requests[1].body, type: site.requests[1]["Content-Type"]))
        #expect(form.parts.map(\.name) == ["bed", "note", "leaf"])
        #expect(form["note"]?.text == "from seed")
        #expect(form["leaf"]?.content == leaf)
        #expect(form["leaf"]?.type == "image/jpeg")
        #expect(sent.withLock { $0 } == ["log", "sign", "log", "sign"])
        #expect(fractions.withLock { $0.first } == 0)
        #expect(fractions.withLock { $0.last } == 1)
        #expect(clock.sleeps == [.seconds(1)])
    }

    /// A chain is a value: modifying a copy doesn't change the original.
    @Test func modifiersReturnCopies() throws {
        let plants = Client("https://garden.example").get("/plants")
        let ferns = plants.query("kind", "fern")
        #expect(try plants.request().path == "/plants")
        #expect(try ferns.request().path == "/plants?kind=fern")
    }

    // MARK: Quick start

    @Suite struct QuickStart {
        private struct SignedIn: Codable, Equatable {
            var token: String
            var gardenerID: Int
        }

        private let stub = StubTransport {
            $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#))
            $0.get("/plants", .json(#"[{"id": 7, "name": "Fern"}]"#))
            $0.post("/session", .json(#"{"token": "gate", "gardenerID": 3}"#))
            $0.post("/plants", .json(#"{"id": 8, "name": "Moss"}"#, status: .created))
            $0.put("/plants/8", .json(#"{"id": 8, "name": "Sphagnum"}"#))
            $0.delete("/plants/8", .status(.noContent))
        }
        private var api: Client { Client("https://garden.example", transport: stub) }

        @Test func getsValue() async throws {
            let plant: Plant = try await api.get("/plants/7").value()
            #expect(plant == Plant(id: 7, name: "Fern"))
        }

        @Test func acceptsAbsoluteURLWithoutBase() async throws {
            let plant: Plant = try await Client(transport: stub).get("https://garden.example/plants/7").value()
            #expect(plant.name == "Fern")
            #expect(stub.requests.map(\.url) == ["https://garden.example/plants/7"])
        }

        @Test func getsListWithParameters() async throws {
            let plants: [Plant] = try await api.get("/plants").query(["page": 2, "size": 10]).value()
            #expect(plants.count == 1)
            #expect(stub.requests.map(\.path) == ["/plants?page=2&size=10"])
        }

        @Test func postsFormByDefault() async throws {
            let call = api.post("/session").parameters(["name": "ada", "password": "a+b &c"])
            #expect(try await call.value() == SignedIn(token: "gate", gardenerID: 3))
            #expect(stub.requests[0].text == "name=ada&password=a%2Bb+%26c")
            #expect(stub.requests[0].headers[.contentType] == "application/x-www-form-urlencoded")
        }

        @Test func postsJSONWhenRequested() async throws {
            let call = api.post("/session").parameters(["name": "ada", "password": "open"], as: .json)
            #expect(try await call.value() == SignedIn(token: "gate", gardenerID: 3))
            #expect(stub.requests[0].text == #"{"name":"ada","password":"open"}"#)
            #expect(stub.requests[0].headers[.contentType] == "application/json")
        }

        @Test func createsReadsUpdatesAndDeletes() async throws {
            let moss: Plant = try await api.post("/plants").parameters(["name": "Moss"]).value()
            let read: Plant = try await api.get("/plants/7").value()
            let changed: Plant = try await api.put("/plants/8").parameters(["name": "Sphagnum"]).value()
            try await api.delete("/plants/8").send()
            #expect([moss.name, read.name, changed.name] == ["Moss", "Fern", "Sphagnum"])
            #expect(stub.requests.map(\.method) == [.post, .get, .put, .delete])
            #expect(stub.requests.map(\.text) == ["name=Moss", "", "name=Sphagnum", ""])
        }

        @Test func setsHeadersAndTimeout() async throws {
            try await api.get("/plants").headers(["X-Bed": "7", "Accept": "application/json"]).timeout(.seconds(30))
                .send()
            #expect(stub.requests[0].headers[try #require(HTTPField.Name("X-Bed"))] == "7")
            #expect(stub.requests[0].headers[.accept] == "application/json")
            #expect(stub.requests[0].options.timeout == .seconds(30))
        }

        @Test func getsDataAndText() async throws {
            let response = try await api.get("/plants/7").send()
            #expect(response.data == Data(#"{"id": 7, "name": "Fern"}"#.utf8))
            #expect(response.text == #"{"id": 7, "name": "Fern"}"#)
        }

        @Test func getsObjectsAndArraysWithoutModel() async throws {
            let plant = try await api.get("/plants/7").json()
            #expect(plant["name"].string == "Fern")
            #expect(plant["id"].int == 7)
            #expect(plant["age"].int == nil)
            let plants = try await api.get("/plants").json().array
            #expect(plants?.map { $0["name"].string } == ["Fern"])
        }

        @Test(arguments: [(401, "sign in"), (404, "not found"), (500, "other")])
        func distinguishesErrorsByStatus(status: Int, expected: String) async throws {
            let stub = StubTransport { $0.get("/plants/7", .text("no", status: .init(code: status))) }
            let api = Client("https://garden.example", transport: stub)
            var shown = ""
            do {
                let plant: Plant = try await api.get("/plants/7").value()
                shown = plant.name
            } catch let error as ClientError {
                switch error.response?.status.code {
                case 401: shown = "sign in"
                case 404: shown = "not found"
                default: shown = "other"
                }
                #expect(error.code == .status)
                #expect(error.response?.text == "no")
            }
            #expect(shown == expected)
        }
    }
}
