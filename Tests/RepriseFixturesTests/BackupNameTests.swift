// SPDX-License-Identifier: Apache-2.0

import RepriseMatching
import RepriseTestSupport
import Testing

@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct BackupNameTests {
    @Test(arguments: [
        ("a.get.json~", "a.get.json", "ends in '~'"), ("a.get.json.~12~", "a.get.json", "ends in '~'"),
        (".a.get.json.un~", ".a.get.json", "ends in '~'"),
        ("#a.get.json#", "a.get.json", "starts with '#' and ends in '#'"),
        (".#a.get.json", "a.get.json", "starts with '.#'"), ("~$a.get.docx", "a.get.docx", "starts with '~$'"),
        (".~lock.a.get.csv#", "a.get.csv", "starts with '.~lock.' and ends in '#'"),
        ("a.get.json___jb_tmp___", "a.get.json", "ends in '___jb_tmp___'"), ("a.get.bak", "a.get", "ends in '.bak'"),
        ("a.get.json.ORIG", "a.get.json", "ends in '.ORIG'"), (".a.get.json.swp", ".a.get.json", "ends in '.swp'"),
        ("a.get.json.save.1", "a.get.json", "ends in '.save.1'"), ("a.get.204.tmp", "a.get.204", "ends in '.tmp'"),
    ])
    func recognizesBackups(name: String, original: String, evidence: String) {
        let found = BackupName(name)
        #expect(BackupName.isPossible(name))
        #expect(found?.original == original)
        #expect(found?.evidence == evidence)
    }

    @Test(arguments: [
        ("a.get.json 2", "a.get.json", "has ' 2' after 'json'"), ("a.get 2", "a.get", "has ' 2' after 'get'"),
        ("a.get copy.json", "a.get.json", "has ' copy' after 'get'"),
        ("a.GET - Copy (2).json", "a.GET.json", "has ' - Copy (2)' after 'GET'"),
        ("a.get(1).201.json", "a.get.201.json", "has '(1)' after 'get'"),
        ("chat.cassette 2.json", "chat.cassette.json", "has ' 2' after 'cassette'"),
        ("a.get_BACKUP_123.json", "a.get.json", "has '_BACKUP_123' after 'get'"),
    ])
    func recognizesCopies(name: String, original: String, evidence: String) {
        #expect(BackupName(name) == nil && BackupName.isPossible(name))
        let found = BackupName(copy: name)
        #expect(found?.original == original)
        #expect(found?.evidence == evidence)
    }

    @Test(arguments: [
        "a.get.json", "a b.get.txt", "users (old).get.json", "v1.users copy.get.json", "a~b.get.json", "bak.get.json",
        "a.bak.get.json", "#a.get.json", "a.get", "a.get.204", "chat 2.cassette.json", "~", "##", ".bak", "~.get.txt",
        "README", "README 2", "C# notes.get.txt", "game.get.swf",
    ])
    func leavesOtherNamesAlone(name: String) {
        if name.utf8.allSatisfy({ !" #(_~".utf8.contains($0) }), !name.hasSuffix(".bak"), !name.hasSuffix("204") {
            #expect(!BackupName.isPossible(name))
        }
        #expect(BackupName(name) == nil)
        #expect(BackupName(copy: name) == nil)
    }

    @Test func notesBackupsOfFixturesOnly() throws {
        let folder = try TemporaryFolder([
            "#g.get.json#": "", "a.get.json": "", "a.get.json~": "", "chat.cassette.json.bak": "", "i.get.json 2": "",
            "l.get.bak": "", "logo.png~": "", "photo 2.jpg": "", "shop.har.orig": "", "x.get.json~~": "",
            ".a.get.json.swp": "", ".DS_Store": "", ".~lock.a.get.csv#": "",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(set.fixtures.map(\.pattern.summary) == ["GET /a"])
        let names = [
            "#g.get.json#", "a.get.json~", "chat.cassette.json.bak", "i.get.json 2", "l.get.bak", "shop.har.orig",
            "x.get.json~~",
        ]
        #expect(set.notes.map { String($0.file.dropFirst(folder.path.count + 1)) } == names)
        #expect(
            set.notes[1].message
                == "not served, because a name that ends in '~' belongs to a backup or temporary file; to serve it, "
                + "rename it to 'a.get.json'"
        )
        let alone = "\(folder.path)/l.get.bak"
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([alone]) }
        #expect(error.description.contains("a name that ends in '.bak'"))
    }
}

@Suite struct SharedRouteTests {
    private func notes(_ names: String...) throws -> [String] {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        return try FixtureLoader.load([folder.path]).notes.map {
            $0.description.replacing("\(folder.path)/", with: "")
        }
    }

    @Test func notesFilesWithTheSameRoute() throws {
        #expect(
            try notes("x.get.json", "x.get.txt", "x.GET.503") == [
                "x.get.json: answers GET /x, like x.GET.503, so they are played in turn; remove or rename one of them",
                "x.get.txt: answers GET /x, like x.GET.503, so they are played in turn; remove or rename one of them",
            ]
        )
        #expect(try notes("users.get.json", "users/index.get.html").count == 1)
        #expect(try notes("a/{id}/b.get.json", "a/{name}/b.get.json").count == 1)
    }

    @Test func acceptsFilesWithDifferentRoutes() throws {
        #expect(try notes("x.get.json", "x.post.json", "x/y.get.json", "{id}.get.json", "a@b.get", "a%40b.get") == [])
    }
}
