// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer

func embedTheServer() async throws {
    let server = try await MockServer.start(fixtures: URL(filePath: "Fixtures"))
    // … use server.url
    for entry in await server.journal.entries { print(entry) }
    await server.stop()
}
