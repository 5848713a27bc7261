// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer

/// What makes the command of a run use the server as its proxy: variables, and files that exist as long as the run.
struct RunClients: Sendable {
    let environment: ClientEnvironment

    /// - Parameter authority: The certificate of the proxy's authority, in PEM.
    init(_ server: MockServer, _ authority: [UInt8]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mockserver-run-\(UUID().uuidString)")
        environment = try ClientEnvironment(
            proxy: server.url.absoluteString,
            folder: folder.path,
            existing: ProcessInfo.processInfo.environment
        )
        try environment.write(authority: authority)
        for note in environment.notes { Report.message("mockserver: note: \(note)") }
    }

    func removeFiles() {
        try? ClientEnvironment.removeFiles(in: environment.folder)
    }
}
