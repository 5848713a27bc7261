// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseText

extension MockServer {
    /// Loads the fixtures at `paths` again whenever `watch` reports a change, until the server stops.
    func follow(_ watch: FixtureWatch, _ paths: [String]) {
        keep(watch)
        Task { [control, logger = configuration.logger] in
            for await _ in watch.changes {
                watch.beginLoading()
                do throws(FixtureProblems) {
                    let set = try await control.reload(paths)
                    watch.watchBodies(of: set)
                    logger.info("reloaded \(set.summary)")
                } catch {
                    watch.watchBodies(ofFixturesIn: error)
                    logger.error("not reloaded, so the previous fixtures stay in use: \(error)")
                }
            }
        }
    }
}

extension FixtureWatch {
    convenience init(_ paths: [String], _ configuration: MockServer.Configuration) async throws(StartError) {
        let logger = configuration.logger
        do throws(FileWatchError) {
            try await self.init(paths) { logger.error("\($0)") }
        } catch {
            throw StartError(.system, "\(error)")
        }
    }
}
