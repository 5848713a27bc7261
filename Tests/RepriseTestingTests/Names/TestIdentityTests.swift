// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseTesting

@Suite struct TestIdentityTests {
    /// The argument of `swift test --filter`, without its quotation marks.
    private func filter(_ test: TestIdentity) -> String {
        let command = test.command(recording: .once)
        return String(command.dropFirst("REPRISE_MODE=once swift test --filter '".count).dropLast())
    }

    private func matches(_ filter: String, _ name: String) -> Bool {
        name.range(of: filter, options: .regularExpression) != nil
    }

    @Test func filterMatchesExactlyOneTest() {
        let filter = filter(TestIdentity(module: "App", ["Users", "loads(page:)"], sourceFile: "/U.swift"))
        #expect(matches(filter, "App.Users/loads(page:)/U.swift:4:2"))
        #expect(matches(filter, "App.Users/loads"))
        for other in [
            "App.Users/loadsAll()/U.swift:4:2", "App.Users/loadsAll", "OtherApp.Users/loads()/U.swift:4:2",
            "AppXUsers/loads()/U.swift:4:2", "App.MoreUsers/loads()/U.swift:4:2", "App.Users/Inner/loads",
        ] {
            #expect(!matches(filter, other))
        }
    }

    @Test func filterMatchesNameWithSpecialCharacters() {
        let name = "`GET /users?page=1 (a+b) is [fast]`"
        let filter = filter(TestIdentity(module: "App", [name + "()"], sourceFile: "/U.swift"))
        #expect(matches(filter, "App.\(name)()/U.swift:4:2"))
        #expect(!matches(filter, "App.`GET /users?page=1 (other)`()/U.swift:4:2"))
    }

    @Test func filterMatchesAnySuiteIfOnlyFunctionIsKnown() {
        let filter = filter(TestIdentity(fileID: "App/U.swift", sourceFile: "/U.swift", function: "loads()"))
        for name in ["App.loads()/U.swift:4:2", "App.Users/loads()/U.swift:4:2", "App.UserTests/loads"] {
            #expect(matches(filter, name))
        }
        #expect(!matches(filter, "App.Users/reloads()/U.swift:4:2"))
    }
}
