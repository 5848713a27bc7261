// SPDX-License-Identifier: Apache-2.0
import Foundation
import RepriseTestSupport
import Testing

/// Expects that no unclosed socket is left that is, or was, connected to the server.
///
/// Reads the system's list of sockets, on Linux only. The server's own ends don't count.
func expectNoSockets(to server: ScriptedServer, sourceLocation: SourceLocation = #_sourceLocation) {
    #if os(Linux)
        let port = String(server.port, radix: 16, uppercase: true)
        let list = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        for line in list.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            guard columns.count > 3, columns[2].hasSuffix(":" + port) else { continue }
            // ESTABLISHED, SYN_SENT, CLOSE_WAIT: the states of a socket that its owner has not closed.
            if ["01", "02", "08"].contains(columns[3]) {
                Issue.record("socket still open: \(line)", sourceLocation: sourceLocation)
            }
        }
    #endif
}
