// SPDX-License-Identifier: Apache-2.0
import Foundation
import RepriseTestSupport
import Testing

/// Proves that the process has no socket left that is, or was, connected to the server and that it has yet to close.
///
/// The system's own list: what others have open does not count. Linux only.
func expectNoSockets(to server: ScriptedServer, sourceLocation: SourceLocation = #_sourceLocation) {
    #if os(Linux)
        let port = String(server.port, radix: 16, uppercase: true)
        let list = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        for line in list.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            guard columns.count > 3, columns[2].hasSuffix(":" + port) else { continue }
            // ESTABLISHED, SYN_SENT, CLOSE_WAIT: the states of a socket that its owner has not closed.
            if ["01", "02", "08"].contains(columns[3]) {
                Issue.record("a socket is left: \(line)", sourceLocation: sourceLocation)
            }
        }
    #endif
}
