// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Nested values of a response, without a model for each level.
    @Suite struct Parsing {
        private struct Bed: Decodable, Equatable {
            let id: Int
            let town: String
            let latitude: Double
            let longitude: Double

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: JSONKey.self)
                id = try container.decode(at: "id")
                town = try container.decode(at: "place/town", default: "")
                latitude = try container.decode(at: "place/position/lat", default: 0)
                longitude = try container.decode(at: "place/position/lng", default: 0)
            }
        }

        private let api = Client(
            "https://garden.example",
            transport: StubTransport {
                $0.get(
                    "/beds/1",
                    .json(#"{"id": 1, "place": {"town": "Kew", "position": {"lat": 51.5, "lng": -0.3}}}"#)
                )
                $0.get("/beds/2", .json(#"{"id": 2, "place": {"position": {"lat": null}}}"#))
                $0.get("/beds/3", .json(#"{"id": 3, "place": {"position": {"lat": "north"}}}"#))
                $0.get(
                    "/report",
                    .json(#"{"data": {"keeper": {"name": "Ada"}, "plants": [{"id": 7, "name": "Fern"}]}}"#)
                )
            }
        )

        @Test func decodesPropertiesAtNestedPaths() async throws {
            let bed: Bed = try await api.get("/beds/1").value()
            #expect((bed.id, bed.town, bed.latitude, bed.longitude) == (1, "Kew", 51.5, -0.3))
        }

        @Test func usesDefaultsForMissingOrNullValues() async throws {
            let bed: Bed = try await api.get("/beds/2").value()
            #expect((bed.id, bed.town, bed.latitude, bed.longitude) == (2, "", 0, 0))
        }

        @Test func throwsForTypeMismatchDespiteDefault() async throws {
            let error = await #expect(throws: ClientError.self) { try await api.get("/beds/3").value(as: Bed.self) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("place.position.lat") == true, "\(error as Any)")
        }

        @Test func readsSeveralTypedPathsAtOnce() async throws {
            let (name, age, plants) = try await api.get("/report").values(
                .optional("/data/keeper/name", as: String.self),
                .optional("/data/keeper/age", as: Int.self),
                .required("/data/plants", as: [Plant].self)
            )
            #expect(name == "Ada")
            #expect(age == nil)
            #expect(plants == [Plant(id: 7, name: "Fern")])
        }

        @Test func errorNamesMissingRequiredPath() async throws {
            let error = await #expect(throws: ClientError.self) {
                try await api.get("/report").values(
                    .optional("/data/keeper/name", as: String.self),
                    .required("/data/keeper/age", as: Int.self)
                )
            }
            #expect(error?.code == .path)
            #expect(error?.message.contains("/data/keeper/age") == true)
        }
    }
}
