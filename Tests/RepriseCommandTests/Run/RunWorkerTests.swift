// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// Parallel workers under `mockserver run`.
@Suite(.timeLimit(.minutes(3))) struct RunWorkerTests {
    private func folder(_ body: (RunFolder) async throws -> Void) async throws {
        try await withRunFolder { folder in
            let exchanges = ["1", "2"].map { text in
                """
                {"request": {"method": "GET", "url": "http://api.test/a"},
                 "response": {"status": "200 OK", "body": {"text": "\(text)"}}}
                """
            }
            try folder.write(
                "{\"reprise\": 1, \"exchanges\": [\(exchanges.joined(separator: ", "))]}",
                to: "a.cassette.json"
            )
            try await body(folder)
        }
    }

    @Test func userOfProxyIsWorker() async throws {
        try await folder { folder in
            let script = """
                for i in 1 2; do for user in a b; do
                  curl -s --proxy "http://$user:x@${http_proxy#http://}" http://api.test/a
                done; done
                """
            let result = try await folder.run(script, ["a.cassette.json"])
            #expect(result.output == "1122")
            #expect(result.errors == "mockserver: answered 4 requests\n")
        }
    }

    @Test(.enabled(if: OtherClient.node.path != nil, "node is not installed"))
    func variableNamesWorkerOfNode() async throws {
        try await folder { folder in
            let program = """
                // Some runners set the variable after the start.
                if (process.argv[2]) process.env.POOL = process.argv[2];
                const http = require('http');
                (async () => {
                    console.log(await (await fetch('http://api.test/a')).text());
                    http.get('http://api.test/a', (answer) => answer.pipe(process.stdout));
                })();
                """
            try folder.write(program, to: "program.cjs")
            let node = try #require(OtherClient.node.path)
            let script = """
                POOL=1 \(node) program.cjs; \(node) program.cjs 2
                POOL=3 \(node) -e 'console.log(process.env.https_proxy)'
                """
            let result = try await folder.run(script, ["a.cassette.json", "--worker-var", "POOL"])
            #expect(result.output.hasPrefix("1\n21\n2http://3:x@127.0.0.1:"))
            #expect(result.errors == "mockserver: answered 4 requests\n")
        }
    }

    @Test func variableNeedsProxy() async throws {
        try await folder { folder in
            let result = try await folder.run("echo ran", ["--serve", "F", "--worker-var", "POOL"])
            #expect(result.status == 64)
            #expect(result.errors.contains("--worker-var: expected --proxy, found none; add --proxy"))
        }
    }
}
