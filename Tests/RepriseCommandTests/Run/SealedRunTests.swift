// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import RepriseTestSupport
    import Testing

    /// `mockserver run --sealed`. Where the system forbids namespaces, the tests check that it says so.
    @Suite(.timeLimit(.minutes(3))) struct SealedRunTests {
        private static let curl = "curl -s -m 10 -o /dev/null -w '%{http_code} '"

        /// Runs a script in a sealed network. Returns nil if the system forbids it.
        private func run(
            _ script: String,
            _ options: [String] = ["--serve", "F", "--env", "API_URL"],
            in folder: RunFolder
        ) async throws -> MockServerProcess.Result? {
            try allowed(await folder.run(script, options + ["--sealed"]))
        }

        private func allowed(_ result: MockServerProcess.Result) throws -> MockServerProcess.Result? {
            guard result.status == 1, result.errors.contains("--sealed: ") else { return result }
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("operation not permitted") || result.errors.contains("no space left"))
            #expect(result.errors.contains("it needs either root's rights, or"))
            #expect(result.errors.contains("without --sealed, the command runs"))
            #expect(!Self.systemAllowsNamespaces)
            return nil
        }

        private static let systemAllowsNamespaces = ["-n", "-Un"].contains { option in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/unshare")
            process.arguments = [option, "true"]
            process.standardError = FileHandle.nullDevice
            do { try process.run() } catch { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        private func upstream() async throws -> ScriptedServer {
            try await ScriptedServer.start { connection in
                while true {
                    _ = try await connection.read(until: "\r\n\r\n")
                    try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }

        @Test func commandReachesServerAlone() async throws {
            try await withRunFolder { folder in
                let other = try await upstream()
                // A server of this machine, the same by IPv6, another machine, and a name.
                let outside = ["127.0.0.1:\(other.port)", "[::1]:\(other.port)", "192.0.2.1", "api.test"]
                let attempts = outside.map { "\(Self.curl) http://\($0)/; echo $?" }.joined(separator: "; ")
                guard let result = try await run("curl -sf $API_URL/users; \(attempts)", in: folder) else { return }
                #expect(result.output == "[1]000 7\n000 7\n000 7\n000 6\n")
                #expect(result.status == 0)
                #expect(other.acceptedConnections == 0)
                let open = try await folder.run("\(Self.curl) http://\(outside[0])/; curl -sf $API_URL/users")
                #expect(open.output == "200 [1]")
            }
        }

        @Test func commandReachesWhatItStarts() async throws {
            try await withRunFolder { folder in
                let script = """
                    "$1" run --serve F --env OWN -- sh -c 'curl -sf $OWN/users; curl -sf $API_URL/users'
                    "$1" run --serve F --env OWN --sealed -- sh -c 'curl -sf $OWN/users; curl -sf $API_URL/users || echo no'
                    """
                try folder.write(script, to: "script")
                let command = """
                    swift run mockserver run --serve F --env API_URL --sealed -- sh script swift run mockserver
                    """
                let process = try MockServerProcess.shell(command, in: URL(filePath: folder.path))
                guard let result = try await allowed(process.result()) else { return }
                #expect(result.output == "[1][1][1]no\n")
            }
        }

        /// The ports of the sealed network are its own: the one of the mock server may be the upstream's outside.
        @Test func upstreamMayHaveThePortOfTheServer() async throws {
            try await withRunFolder { folder in
                let server = try await upstream()
                let address = "127.0.0.1:\(server.port)"
                for options in [["--map", "api.test=\(address)"], ["--upstream", "http://\(address)"]] {
                    let url = options[0] == "--map" ? "http://api.test:\(server.port)/a" : "$MOCKSERVER_URL/a"
                    let all = ["a.cassette.json", "--record", "--port", "\(server.port)"] + options
                    guard let result = try await run("curl -sf \(url)", all, in: folder) else { return }
                    #expect(result.output == "ok")
                    #expect(result.status == 0)
                }
            }
        }

        @Test(arguments: [false, true]) func serverRecordsFromOutside(isProxy: Bool) async throws {
            try await withRunFolder { folder in
                let server = try await upstream()
                let address = "127.0.0.1:\(server.port)"
                let options =
                    isProxy
                    ? ["a.cassette.json", "--map", "api.test=\(address)", "--once"]
                    : ["a.cassette.json", "--upstream", "http://\(address)", "--once"]
                let url = isProxy ? "http://api.test/a" : "$MOCKSERVER_URL/a"
                let around = "\(Self.curl) --noproxy '*' http://\(address)/; true"
                for _ in 0..<2 {
                    guard let result = try await run("curl -sf \(url); \(around)", options, in: folder) else { return }
                    #expect(result.output == "ok000 ")
                    #expect(result.status == 0)
                }
                #expect(server.acceptedConnections == 1)
            }
        }

        @Test func commandThatCannotStartHasStatusOfShell() async throws {
            try await withRunFolder { folder in
                try folder.write("curl -s $API_URL/users; echo $1; exit 3", to: "script")
                let options = ["--serve", "F", "--env", "API_URL", "--sealed"]
                for (command, status) in [("no-such-command", 127), ("./script", 126)] {
                    guard let result = try await allowed(folder.process([command], options).result()) else { return }
                    #expect(result.status == status)
                    #expect(result.errors.hasPrefix("mockserver: \(command): "))
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/script")
                let script = try await folder.process(["./script", "a b"], options).result()
                #expect(script.output == "[1]a b\n")
                #expect(script.status == 3)
            }
        }

        @Test func commandHasSignalsAndDescriptorsAsOtherwise() async throws {
            try await withRunFolder { folder in
                guard try await run("curl -s $API_URL/users", in: folder) != nil else { return }
                // The shell itself reads its signal mask, because it blocks signals while it starts a program.
                let script = """
                    trap 'echo stopped; exit 9' TERM; curl -s $API_URL/users; [ $(cut -d' ' -f5 /proc/$$/stat) = $$ ] && echo leader
                    ls /proc/$$/fd
                    while read -r name value; do [ $name = SigBlk: ] && echo $name $value; done </proc/$$/status; echo ready; while :; do sleep 0.05; done
                    """
                try folder.write(script, to: "script")
                let closing = "for fd in /proc/$$/fd/*; do n=${fd##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done"
                let command = """
                    exec bash -c '\(closing); exec "$0" run --serve F --env API_URL --sealed -- sh -c "$(cat script)"' \
                    swift run mockserver
                    """
                let process = try MockServerProcess.shell(command, in: URL(filePath: folder.path))
                _ = try await process.output(containing: "ready")
                process.signal(SIGTERM)
                let result = try await process.result()
                #expect(result.output == "[1]leader\n0\n1\n2\nSigBlk: 0000000000000000\nready\nstopped\n")
                #expect(result.status == 9)
            }
        }

        @Test(.enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
        func needsNoPrivileges() async throws {
            try await withRunFolder { folder in
                let command = """
                    setpriv --reuid 65534 --regid 65534 --clear-groups swift run mockserver run --serve F --env API_URL \
                    --sealed -- sh -c 'curl -sf $API_URL/users; id -u; id -g; \(Self.curl) http://192.0.2.1/; exit 4'
                    """.replacing("'%{http_code} '", with: "%{http_code}")
                let process = try MockServerProcess.shell(command, in: URL(filePath: folder.path))
                guard let result = try await allowed(process.result()) else { return }
                #expect(result.output == "[1]65534\n65534\n000")
                #expect(result.status == 4)
            }
        }

        @Test func limitOfNamespacesIsExplained() async throws {
            try await withRunFolder { folder in
                let command = """
                    unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_net_namespaces
                    exec "$0" run --serve F --sealed -- echo ran' swift run mockserver
                    """
                let process = try MockServerProcess.shell(command, in: URL(filePath: folder.path))
                let result = try await process.result()
                guard !result.errors.contains("unshare:") else { return }
                #expect(result.status == 1)
                #expect(result.output.isEmpty)
                #expect(result.errors.contains("create a network namespace: no space left on device; it needs either"))
            }
        }
    }
#endif
