// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCommand

@Suite(.enabled(if: OtherClient.node.path != nil, "node is not installed")) struct NodePreloadTests {
    /// Since Node 26, the dispatcher that older packages find is a wrapper, whose class takes a dispatcher. The script
    /// must not break there, so this runs it with such a pair.
    @Test func replacesDispatcherAndItsWrapper() async throws {
        let folder = try TemporaryFolder([
            "dispatchers.cjs": """
            class Agent { constructor(options) { this.connect = options.connect; } dispatch() {} }
            class Wrapper {
                constructor(dispatcher) {
                    if (!dispatcher.dispatch) throw new Error('not a dispatcher');
                    this.dispatcher = dispatcher;
                }
            }
            globalThis.fetch = async () => {};
            globalThis[Symbol.for('undici.globalDispatcher.2')] = new Agent({});
            globalThis[Symbol.for('undici.globalDispatcher.1')] = new Wrapper({ dispatch() {} });
            """,
            "node.cjs": NodePreload.text,
            "program.cjs": """
            const [agent, wrapper] = [2, 1].map((n) => globalThis[Symbol.for(`undici.globalDispatcher.${n}`)]);
            console.log(typeof agent.connect, wrapper.dispatcher === agent);
            """,
        ])
        let process = try MockServerProcess(
            ["--require", "./dispatchers.cjs", "--require", "./node.cjs", "program.cjs"],
            program: OtherClient.node.path,
            environment: ["https_proxy": "http://127.0.0.1:9", "NODE_OPTIONS": ""],
            in: URL(fileURLWithPath: folder.path)
        )
        let result = try await process.result()
        #expect(result.output == "function true\n")
        #expect(result.errors == "")
    }
}
