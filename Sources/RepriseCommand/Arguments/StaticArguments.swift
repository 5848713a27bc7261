// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseMatching
import RepriseText

/// The option for a folder whose files are served as they are.
struct StaticArguments: ParsableArguments {
    @Option(
        name: .customLong("static"),
        help: ArgumentHelp("Serve the files in this folder as they are, if no fixture answers.", valueName: "dir")
    )
    var staticFolder: String?

    var path: String? { staticFolder ?? EnvironmentVariable(of: "--static").text() }

    /// Returns the folder; nil if there is none.
    ///
    /// - Throws: `ExitCode` after reporting that there is no folder at the path.
    func folder() throws -> StaticFolder? {
        guard let path else { return nil }
        do throws(FixtureProblem) {
            return try StaticFolder(path)
        } catch {
            throw Report.failure("\(error)")
        }
    }
}

extension StaticFolder {
    /// Returns the path of the file that answers a request; nil if none does.
    func file(for request: OwnedRequest, method: String) -> String? {
        guard method == "GET" || method == "HEAD" else { return nil }
        let path = request.head[request.ranges.path]
        guard case .file(_, let file)? = answer(path.span) else { return nil }
        return file
    }
}
