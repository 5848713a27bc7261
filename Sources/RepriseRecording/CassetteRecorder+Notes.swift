// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

extension CassetteRecorder {
    /// Why the exchange of `request` was not written.
    static func note(on request: RecordedRequest, _ fault: RecordingFault) -> String {
        let reason =
            switch fault {
            case .unscannable(let part, let reason):
                "its \(part.rawValue)'s body cannot be scanned for secrets (\(reason)); "
                    + "ask for a coding that can be, or allow what is not scanned (--allow-unscanned)"
            case .invalid(let reason): reason
            case .disk(let error): "could not \(error)"
            case .over: "the recording was over"
            }
        return "\(line(of: request)): not recorded: \(reason)"
    }

    /// That there was nobody to answer a request.
    static func note(on request: RecordedRequest, unanswered reason: String) -> String {
        "\(line(of: request)): not recorded: \(reason)"
    }

    /// That there were requests that only a secret tells apart.
    static func note(onSecretsOf request: RecordedRequest) -> String {
        "\(line(of: request)): requests that differ in nothing but a secret are one sequence, answered in the order in "
            + "which they were recorded; a redaction rule can name them apart (\"[redacted:alice]\")"
    }

    /// That a request would not find its own answer.
    static func note(on request: RecordedRequest, mismatch: String) -> String {
        "\(line(of: request)): recorded, but the same request will not be answered from it, because of what was "
            + "redacted: \(mismatch)"
    }

    /// That a request was answered before it had come in full.
    static func note(onCutOff request: RecordedRequest) -> String {
        "\(line(of: request)): the server had answered before the request's body had come in full; the same request will "
            + "be answered from it whatever its body (comparesBody in the cassette)"
    }

    private static func line(of request: RecordedRequest) -> String {
        "\(clipped(request.method)) \(clipped(request.url, to: 200))"
    }
}

extension RecordingLog.Leftovers {
    /// What to say of them.
    ///
    /// - Parameter isReplaced: Whether they are left out.
    func notes(cassette path: String, isReplaced: Bool) -> [String] {
        let log = RecordingLog.path(forCassette: path)
        var notes: [String] = []
        if count > 0 {
            let verb = isReplaced ? "left out" : "took in"
            notes.append("\(log): \(verb) \(count) exchanges of a recording that was broken off")
        }
        if torn > 0 {
            notes.append("\(log): left out \(torn) exchanges that were being written when the recording broke off")
        }
        return notes
    }
}

extension RecordingError {
    /// Something could not be kept while recording to the cassette at `path`.
    init(cassette path: String, lost error: FileError, log: RecordingLog) {
        self.init(
            "\(path): expected to record every exchange, but could not \(error.call) \(error.path): \(error.reason); the "
                + "cassette is as it was, and \(log.places.count) exchanges are in \(log.file.path); "
                + Self.advice(error) + ", which takes them in"
        )
    }
}
