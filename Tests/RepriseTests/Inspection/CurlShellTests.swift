// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
    import Foundation
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    /// Runs the command from ``Call/curl()`` in the system's shell, where `curl` is a function that prints its
    /// arguments and its input.
    @Suite struct CurlShellTests {
        @Test(arguments: [
            "-n\0", "-\0", "--\0", "-e a\0", "%d\\n\0'", "\0\u{1}1\u{7}7\u{FF}8\n\n", "it's $HOME `ls`\0",
        ])
        func pipesBodyContainingNUL(text: String) throws {
            try expectBody(Array(text.utf8))
        }

        @Test func pipesBodyOfAllByteValues() throws {
            try expectBody((0...255).map { UInt8($0) } + (0...255).reversed().map { UInt8($0) })
        }

        @Test(arguments: ["-n", "@file", "it's\nme", "$HOME `ls` \\ \"%s\" !x *", "ä€\u{301}'\u{301}", ""])
        func passesTextAsOneWord(text: String) throws {
            let call = Client("https://h").post("/a").query("q", text).header("X-Note", "a 'b' \"$c\" \\d")
                .body(text, contentType: "text/plain")
            let (words, input) = try run(try call.curl())
            #expect(words.prefix(2) == ["-X", "POST"])
            #expect(words.dropFirst(2).first == "https://h\(try call.request().path ?? "")")
            #expect(words.contains("X-Note: a 'b' \"$c\" \\d"))
            #expect(words.suffix(2) == ["--data-raw", text])
            #expect(input.isEmpty)
        }

        @Test func refersToFilesByPath() throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("it's \"a\".png")
            let api = Client("https://h")
            let (words, _) = try run(try api.put("/").body(file: file).curl())
            #expect(
                words == ["-X", "PUT", "https://h/", "-H", "Content-Type: image/png", "--data-binary", "@\(file.path)"]
            )
            let (form, _) = try run(
                try api.post("/").multipart {
                    $0.field("title", "it's @home;type=x")
                    $0.file("photo", file, filename: "a\\b.png")
                }.curl()
            )
            let path = file.path.replacing("\"", with: "\\\"")
            #expect(
                form == [
                    "-X", "POST", "https://h/", "--form-string", "title=it's @home;type=x",
                    "-F", "photo=@\"\(path)\";filename=\"a\\\\b.png\";type=image/png",
                ]
            )
        }

        @Test func writesInMemoryFormVerbatim() throws {
            let call = Client("https://h").post("/").multipart { $0.field("title", "Sunset") }
            let (words, _) = try run(try call.curl())
            #expect(words.contains("Content-Type: \(try call.request().headerFields[.contentType] ?? "")"))
            #expect(words.last?.contains("name=\"title\"\r\n\r\nSunset\r\n") == true)
        }

        @Test func commentsOnFormUnsupportedByCurl() throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("a")
            for name in ["a=b", ""] {
                let call = Client("https://h").post("/").multipart { $0.file(name, file) }
                #expect(try call.curl().contains("# with the body, which is not in memory"))
            }
        }

        private func expectBody(_ bytes: [UInt8]) throws {
            let (words, input) = try run(try Client("https://h").post("/").body(bytes).curl())
            #expect(words == ["-X", "POST", "https://h/", "-H", "Content-Type:", "--data-binary", "@-"])
            #expect(input == bytes)
        }

        /// The arguments and the input that curl would receive.
        private func run(_ line: String) throws -> (words: [String], input: [UInt8]) {
            // A file, because a signal that another test raises would end reading from a pipe.
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data().write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let shell = try ChildProcess(
                "/bin/sh",
                ["-c", "curl() { printf '%s\\0' \"$#\" \"$@\"; cat; }\n\(line)\n"],
                output: try FileHandle(forWritingTo: file)
            )
            #expect(shell.wait() == 0)
            let bytes = Array(try Data(contentsOf: file))
            var rest = bytes[...]
            func nextWord() -> String {
                let word = rest.prefix { $0 != 0 }
                rest = rest.dropFirst(word.count + 1)
                return String(decoding: word, as: UTF8.self)
            }
            let count = try #require(Int(nextWord()))
            let words = (0..<count).map { _ in nextWord() }
            return (words, Array(rest))
        }
    }
#endif
