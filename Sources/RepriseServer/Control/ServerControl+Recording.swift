// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

// Recordings that are started while the server runs.
extension ServerControl {
    /// The status of recording, in WireMock's words.
    enum RecordingStatus: String {
        case neverStarted = "NeverStarted"
        case recording = "Recording"
        case stopped = "Stopped"
    }

    var recordingStatus: RecordingStatus {
        if startedRecording != nil || isRecordingSinceStart { return .recording }
        return hasRecorded || configuration.recorder != nil ? .stopped : .neverStarted
    }

    /// From now on, forwards requests that nothing else answers to another server, and records the exchanges.
    func startRecording(_ spec: RecordingSpec) async throws(AdminFailure) {
        guard let target = spec.target else {
            throw AdminFailure(
                status: 422,
                [.init(code: 10, pointer: "/targetBaseUrl", title: "targetBaseUrl is required")]
            )
        }
        if let running = startedRecording {
            // As in WireMock, which ignores the second call, even for another server.
            guard running.spec.target != target else { return }
            throw .conflict(
                "expected no recording, found one of \(shown(running.spec.target ?? "")); "
                    + "POST /__admin/recordings/stop first"
            )
        }
        if isRecordingSinceStart, let path = configuration.recorder?.path {
            throw .conflict("expected no recording, found one into \(path); stop the server to end it")
        }
        var upstream: MockServer.Upstream
        do throws(UpstreamError) {
            upstream = try MockServer.Upstream(target, trust: configuration.upstream?.trust ?? .system)
        } catch {
            throw .unreadable("/targetBaseUrl", error.description)
        }
        if let own = try? UpstreamAddress(url).origin,
            upstream.address.origin.reaches(host: own.host, port: Int(own.port))
        {
            throw .unreadable(
                "/targetBaseUrl",
                "expected the URL of another server, found this server; set targetBaseUrl to the server to record"
            )
        }
        upstream.isChosenByClient = true
        do throws(TLSError) { try upstream.check() } catch { throw .conflict("\(error)") }
        if let filter = spec.filter {
            do throws(StubMatcherProblem) { upstream.filter = try CompiledStubRequest(filter) } catch {
                throw .unreadable("/filters", error.message)
            }
        }
        let started = try makeRecording(spec, host: upstream.address.authority)
        upstream.recorder = started.recorder
        startedRecording = started
        publish(ServingState(shared.current, recording: upstream))
        await changesAreVisible(.recordingStarted(path: started.recorder.path))
    }

    private func makeRecording(_ spec: RecordingSpec, host: String) throws(AdminFailure) -> StartedRecording {
        let folder = configuration.recordingFolder
        var recorder = CassetteRecorder.Configuration()
        recorder.reportLoss = { [logger = configuration.logger] in logger.error("\($0)") }
        if spec.isPersistent == false {
            recorder.redaction = try configuration.redactionOfFiles()
        } else if folder == nil {
            throw .conflict(
                "expected a server with a fixture folder to record into, found one without; start it with a folder, or "
                    + "send \"persist\": false"
            )
        }
        do throws(RecordingError) {
            return try StartedRecording(
                spec,
                host: host,
                in: spec.isPersistent == false ? nil : folder,
                configuration: recorder
            )
        } catch {
            throw .conflict(error.description)
        }
    }

    /// Ends the recording. The recorded exchanges are served from then on: from the cassette or, if it is not kept, as
    /// stubs.
    ///
    /// - Returns: Stub mappings for the recorded exchanges.
    func stopRecording() async throws(AdminFailure) -> (mappings: [StubMapping], spec: RecordingSpec) {
        guard let recording = startedRecording else {
            if isRecordingSinceStart, let path = configuration.recorder?.path {
                throw .conflict("expected a recording started over this API, found one into \(path); stop the server")
            }
            throw AdminFailure(status: 400, [.init(code: 30, title: "Not currently recording.")])
        }
        startedRecording = nil
        hasRecorded = true
        publish(ServingState(shared.current, recording: .some(nil)))
        // Requests in progress get their answers, but exchanges that are incomplete now are not recorded.
        await changesAreVisible()
        let cassette: Cassette
        do { cassette = try finish(recording) } catch {
            // What was lost stays lost; anything else may succeed the next time.
            if startedRecording == nil, recording.recorder.summary.lost == 0 { startedRecording = recording }
            throw .conflict("\(error)")
        }
        let isKept = recording.temporaryFolder == nil
        let mappings = RecordedMappings(cassette, recording.spec, isPersistent: isKept).mappings
        await changesAreVisible(.recordingFinished(path: recording.recorder.path))
        recording.removeTemporaryFolder()
        guard !cassette.exchanges.isEmpty else { return ([], recording.spec) }
        do throws(FixtureProblems) {
            if isKept { _ = try await reload(configuration.tool.paths) } else { try await add(mappings) }
        } catch {
            throw .conflict("recorded into \(recording.recorder.path), but it is not served yet: \(error)")
        }
        return (mappings, recording.spec)
    }

    /// Ends a recording when the server has stopped, so that no exchange is lost.
    func finishStartedRecording() {
        guard let recording = startedRecording else { return }
        startedRecording = nil
        hasRecorded = true
        do {
            _ = try finish(recording)
            recording.removeTemporaryFolder()
        } catch {
            configuration.logger.error("the recording is not complete: \(error)")
        }
    }

    private func finish(_ recording: StartedRecording) throws -> Cassette {
        try recording.finish { configuration.logger.warning("\($0)") }
    }
}

extension MockServer.Configuration {
    /// The first fixture folder in which a cassette is a fixture; nil if there is none.
    var recordingFolder: String? {
        tool.paths.first { path in
            guard case .folder? = FixtureFileReader.item(at: path) else { return false }
            return FixtureFileReader.realPath(of: path).split(separator: "/").last != "mappings"
        }
    }
}
