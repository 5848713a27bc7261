// SPDX-License-Identifier: Apache-2.0

import RepriseReplay
import Testing

@Suite struct ReplayModeTests {
    @Test(arguments: [
        ("live", ReplayMode.live), ("once", .record(.once)), ("append", .record(.append)),
        ("overwrite", .record(.overwrite)), ("replay", .replay), ("passthrough", .replay(unmatched: .passThrough)),
        ("REPLAY", .replay),
    ])
    func readsModeFromEnvironmentVariable(value: String, expected: ReplayMode) throws {
        #expect(try ReplayMode.replay.resolved(in: ["REPRISE_MODE": value]) == expected)
        #expect(expected.description == value.lowercased())
    }

    @Test(arguments: [[:], ["REPRISE_MODE": ""]])
    func isUnchangedWithoutEnvironmentVariable(environment: [String: String]) throws {
        #expect(try ReplayMode.record(.append).resolved(in: environment) == .record(.append))
    }

    @Test func stubModeIsNeverOverridden() throws {
        #expect(try ReplayMode.stub.resolved(in: ["REPRISE_MODE": "live"]) == .stub)
        #expect(try ReplayMode.stub.resolved(in: ["REPRISE_MODE": "nonsense"]) == .stub)
    }

    @Test func rejectsUnknownModeAndListsValidOnes() {
        let error = #expect(throws: ReplayModeError.self) {
            try ReplayMode.replay.resolved(in: ["REPRISE_MODE": "recrod"])
        }
        #expect(
            error?.description
                == "REPRISE_MODE: expected live, once, append, overwrite, replay, or passthrough, found recrod"
        )
    }
}
