// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct KnownDeviationTests {
    @Test func nameOnlyExistingCases() {
        let names = Set(ConformanceCase.all.map(\.name))
        #expect(names.count == ConformanceCase.all.count)
        for deviation in KnownDeviation.all { #expect(names.contains(deviation.name), "\(deviation.name)") }
    }

    @Test func matchDocumentedTable() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Reprise/Reprise.docc/Transports.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| Transport | Platform |") })
        var documented = lines[(head + 2)...].prefix { $0.hasPrefix("|") }
        #if !AsyncHTTPClient
            documented.removeAll { $0.hasPrefix("| `AsyncHTTPClientTransport` |") }
        #endif
        let expected = KnownDeviation.all.map(\.tableRow)
        #expect(Array(documented) == expected, "expected table:\n\(expected.joined(separator: "\n"))\n")
    }
}

extension KnownDeviation {
    fileprivate var tableRow: String {
        "| `\(transport.rawValue)` | \(platform.rawValue) | \(name) | \(cause.replacing("|", with: "\\|")) |"
    }
}
