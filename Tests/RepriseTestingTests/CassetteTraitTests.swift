// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

@testable import RepriseTesting

/// The cassettes in Fixtures/RepriseTestingTests/CassetteTraitTests are named after the tests.
@Suite(.cassette(matching: [.path]))
struct CassetteTraitTests {
    @Test func replaysItsOwnCassette() async throws {
        #expect(try await text(at: "/who") == "replaysItsOwnCassette")
        #expect(TestCassette.current?.report?.choices.count == 1)
    }

    @Test(arguments: 1...3)
    func sharesOneCassetteAmongCases(number: Int) async throws {
        let turn = try await text(at: "/turn")
        #expect(["1", "2", "3"].contains(turn))
    }

    @Test(arguments: [1, 2])
    func usesSeparateCassetteForEachCase(id: Int) async throws {
        try await withCassette("user-\(id)") { _ in
            let name = try await text(at: "/users/any")
            #expect(name == "user \(id)")
        }
    }

    @Test func needsNoCassetteWithoutRequests() {
        #expect(Ambient.transport != nil)
    }

    @Test(.cassette("users", matching: .standard))
    func replaysNamedCassette() async throws {
        #expect(try await text(at: "/users/1") == "Atlas")
        #expect(try await text(at: "/users/2") == "Tide")
    }

    @Suite struct Nested {
        @Test func replaysItsOwnCassette() async throws {
            let who = try await text(at: "/who")
            #expect(who == "Nested")
        }

        @Test(.cassette(pace: .recorded))
        func inheritsMatchersOfOuterSuite() async throws {
            let found = try await text(at: "/any?q=2")
            #expect(found == "by path alone")
            #expect(Ambient.clock == nil)
        }
    }
}

@Test(.cassette("users"), .tags(.cassettes))
func replaysCassetteWithoutSuite() async throws {
    let names = [try await text(at: "/users/1"), try await text(at: "/users/2")]
    #expect(names == ["Atlas", "Tide"])
}

extension Tag {
    @Tag static var cassettes: Self
}
