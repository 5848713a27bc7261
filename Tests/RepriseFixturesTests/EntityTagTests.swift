// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseFixtures
@testable import RepriseText

@Suite struct EntityTagTests {
    private func tag(_ files: [String: String]) throws -> [String?] {
        let folder = try TemporaryFolder(files)
        return try FixtureLoader.load([folder.path]).fixtures.map { $0.plan.head?.headers.firstValue(named: "ETag") }
    }

    @Test func dependsOnContentOnly() throws {
        let large = String(repeating: "0123456789", count: 7000)
        let tags = try tag(["a.get.json": "1", "b.get.txt": "1", "c.get": "2", "d.get.bin": large, "e.get.txt": large])
        #expect(tags[0] == "\"6b86b273ff34fce19d6b804eff5a3f57\"")
        #expect(tags[0] == tags[1] && tags[0] != tags[2] && tags[3] == tags[4])
        #expect(Set(tags).count == 3 && !tags.contains(nil))
        #expect(try tag(["x/d.get.mp4": large]) == [tags[3]])
    }

    @Test func isOnlyInAnswersWithContentOfPath() throws {
        let tags = try tag([
            "a.get.404.json": "1", "a.post.json": "1", "b.get.sse": "data: 1\n\n", "c.get.ndjson": "{}",
            "d.get.204": "",
        ])
        #expect(tags == [nil, nil, nil, nil, nil])
        #expect(try tag(["e.head.txt": "1"]) != [nil])
    }
}
