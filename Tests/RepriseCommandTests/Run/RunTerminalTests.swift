// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import Testing

    /// `mockserver run` in shell scripts on a terminal.
    @Suite(.timeLimit(.minutes(3)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    struct RunTerminalTests {
        /// Runs a shell script on a terminal of its own.
        ///
        /// - Parameters:
        ///   - script: The script, in which `run` is `mockserver run` with fixtures.
        ///   - typing: A shell script that writes what a user types.
        /// - Returns: The status of the script.
        private func run(_ script: String, typing: String, in folder: RunFolder) async throws -> Int32? {
            try folder.write("run() { \"$MS\" run --serve F -- \"$@\"; }\n\(script)\n", to: "script.sh")
            // The terminal is closed at the end of the typed text. The program `script` runs a command on a terminal.
            let command = """
                export MS=swift run mockserver
                { \(typing); until [ -e status ]; do sleep 0.05; done; } \
                | script -qefc 'trap : INT; sh script.sh; echo $? >status' /dev/null
                """
            _ = try await MockServerProcess.shell(command, in: URL(filePath: folder.path)).result()
            return Int32(try folder.text("status").dropLast())
        }

        private func waiting(for file: String) -> String { "until [ -e \(file) ]; do sleep 0.05; done" }

        @Test func commandReadsFromTerminal() async throws {
            try await withRunFolder { folder in
                let status = try await run(
                    "run sh -c 'touch ready; exec cat >got'; touch next",
                    typing: """
                        \(waiting(for: "ready")); echo hello
                        until [ -s got ]; do sleep 0.05; done; printf '\\003'
                        """,
                    in: folder
                )
                #expect(try folder.text("got") == "hello\n")
                #expect(status == 128 + SIGINT)
                // As without `mockserver run`, the shell script ends too.
                #expect(!folder.exists("next"))
            }
        }

        @Test(arguments: ["", "trap 'exit 2' INT; "])
        func interruptKeyEndsCommandAndScript(trap: String) async throws {
            try await withRunFolder { folder in
                let status = try await run(
                    "run sh -c \"\(trap)touch ready; while :; do sleep 0.05; done\"; touch next",
                    typing: "\(waiting(for: "ready")); printf '\\003'",
                    in: folder
                )
                #expect(status == 128 + SIGINT)
                #expect(!folder.exists("next"))
            }
        }

        @Test func otherProcessOfPipelineReadsFromTerminal() async throws {
            try await withRunFolder { folder in
                let count = "for i in $(seq 200); do [ -s got ] && break; sleep 0.05; done"
                _ = try await run(
                    """
                    run sh -c 'touch ready; \(count); curl -s $MOCKSERVER_URL/users' \
                    | { head -n 1 </dev/tty >got; cat >answer; }
                    """,
                    typing: "\(waiting(for: "ready")); echo hello",
                    in: folder
                )
                #expect(try folder.text("got") == "hello\n")
                #expect(try folder.text("answer") == "[1]")
            }
        }

        @Test func suspendKeySuspendsJobUntilItContinues() async throws {
            try await withRunFolder { folder in
                let status = try await run(
                    """
                    set -m
                    run sh -c 'touch ready; \(waiting(for: "resumed")); curl -s $MOCKSERVER_URL/users >answer'
                    echo $? >suspended; touch resumed
                    fg
                    """,
                    typing: "\(waiting(for: "ready")); printf '\\032'",
                    in: folder
                )
                #expect(try folder.text("suspended") == "\(128 + SIGTSTP)\n")
                #expect(try folder.text("answer") == "[1]")
                #expect(status == 0)
            }
        }

        /// No shell can give the terminal to a job whose shell has ended.
        @Test func orphanedCommandThatReadsFromTerminalIsHungUp() async throws {
            try await withRunFolder { folder in
                try folder.write("\"$MS\" run --serve F -- sh -c 'cat </dev/tty'; echo $? >end", to: "job.sh")
                _ = try await run("set -m; sh -c 'sh job.sh &' & \(waiting(for: "end"))", typing: ":", in: folder)
                #expect(try folder.text("end") == "\(128 + SIGHUP)\n")
            }
        }
    }
#endif
