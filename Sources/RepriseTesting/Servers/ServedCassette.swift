// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import RepriseFixtures
    internal import RepriseMatching
    internal import RepriseRecording
    internal import RepriseReplay
    internal import RepriseServer
    internal import RepriseText

    /// A test's cassette that a mock server replays or records, by the rules of `withCassette`.
    struct ServedCassette {
        let cassette: TestCassette
        private let plan: SessionPlan
        private let set: FixtureSet
        private let configuration: MockServer.Configuration

        /// - Parameter upstream: The server to record.
        init(_ cassette: TestCassette, recording upstream: MockServer.Upstream) throws {
            self.cassette = cassette
            try cassette.checkExists()
            let settings = cassette.configuration
            let plan = try SessionPlan(
                cassette.path,
                cassette.mode,
                recording: settings.recording,
                environment: cassette.environment
            )
            self.plan = plan
            var replay = settings.replay
            if cassette.mode == .stub { replay.afterLast = replay.afterLast ?? .repeat }
            replay.unmatched = plan.reachesNetwork ? .passThrough : .fail
            var set = FixtureSet()
            var configuration = MockServer.Configuration()
            do {
                configuration.redaction =
                    try settings.recording.redaction
                    ?? RedactionFile.redactionOfTexts(aboutFixturesAt: [cassette.path])
                if !plan.paths.isEmpty {
                    // A fixture's last answer repeats or not depending on whether it was recorded.
                    set = try FixtureLoader.load(plan.paths, keepsRecordings: true, stubOptions: replay.stubs)
                }
            } catch {
                _ = try? plan.recorder?.abandon()
                throw error
            }
            set.fixtures += plan.leftovers
            self.set = set
            configuration.pace = replay.pace
            configuration.matching = replay.matching
            configuration.afterLast = replay.rules(for: set.fixtures).options.afterLast
            configuration.bends = replay.bends
            // Every request counts at the end.
            configuration.journalRecords = 1_000_000
            configuration.journalBytes = 64 << 20
            if plan.reachesNetwork {
                var upstream = upstream
                upstream.recorder = plan.recorder
                upstream.keepsEncoding = settings.keepsEncoding
                configuration.upstream = upstream
            }
            self.configuration = configuration
        }

        func start() async throws -> MockServer {
            do throws(StartError) {
                return try await MockServer.start(
                    fixtures: set.fixtures,
                    stubs: set.stubs,
                    configuration: configuration
                )
            } catch {
                _ = try? plan.recorder?.abandon()
                throw error
            }
        }

        /// Stops the server, and returns what the test did.
        func end(_ server: MockServer) async -> Use {
            // An exchange that is nearly over is recorded whole.
            await server.stop(grace: plan.recorder == nil ? .zero : .seconds(2))
            let traffic = await server.trafficSummary(ToolInvocation(paths: [cassette.path]))
            return Use(
                report: report(traffic),
                requestCount: traffic.requestCount,
                explanation: traffic.explanation,
                usesAll: cassette.isStrict && cassette.mode != .stub,
                keepsFailed: NetworkPermission.isSet(cassette.environment[TestCassette.keepVariable]),
                recorder: plan.recorder
            )
        }

        private func report(_ traffic: TrafficSummary) -> ReplayReport {
            let remedy = cassette.configuration.replay.remedy.map { "\n\nTo record it:\n  \($0)" } ?? ""
            var report = ReplayReport()
            report.misses = traffic.unanswered.map {
                ReplayReport.Miss(request: $0.request, message: $0.explanation + remedy)
            }
            let unlisted = traffic.unansweredCount - traffic.unanswered.count
            if unlisted > 0 {
                let message = "nothing answered \(unlisted) more requests, which the journal no longer has"
                report.misses.append(ReplayReport.Miss(request: "earlier requests", message: message))
            }
            guard let used = traffic.used else { return report }
            report.unused = set.fixtures.lazy.filter { !$0.isRepeat && !used.contains($0.source) }.map {
                ReplayReport.Unused(request: $0.pattern.summary, source: $0.source)
            }
            return report
        }

        /// What a test did with the server. A request that was not answered fails it in every mode.
        struct Use: CassetteUse {
            let report: ReplayReport?
            let requestCount: Int
            /// Why nothing answered some requests; nil if all were answered.
            let explanation: String?
            /// Whether the test fails if it does not request everything that is recorded.
            fileprivate let usesAll: Bool
            /// Whether the recording of a failing test is kept.
            fileprivate let keepsFailed: Bool
            fileprivate let recorder: CassetteRecorder?

            var unfinished: [String] {
                let count = recorder?.summary.cutOff ?? 0
                return count == 0 ? [] : ["\(count) of \(requestCount) requests to the mock server"]
            }

            var recorded: CassetteRecorder.Summary? { recorder?.summary }

            func finish() throws -> CassetteRecorder.Summary? {
                guard keepsFailed || report?.misses.isEmpty ?? true else { return try abandon() }
                return try ended(recorder?.finish())
            }

            func abandon() throws -> CassetteRecorder.Summary? { try ended(recorder?.abandon()) }

            private func ended(_ summary: CassetteRecorder.Summary?) throws -> CassetteRecorder.Summary? {
                guard let report, report.misses.isEmpty, !usesAll || report.unused.isEmpty else {
                    throw ReplayFailure(report: report ?? ReplayReport())
                }
                return summary
            }
        }
    }
#endif
