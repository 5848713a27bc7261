// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

extension CassetteRecorder {
    static func note(on request: RecordedRequest, _ fault: RecordingFault) -> String {
        let reason =
            switch fault {
            case .unscannable(let part, let reason):
                "its \(part.rawValue)'s body cannot be scanned for secrets (\(reason)); "
                    + "request another content coding, or allow unscanned bodies (--allow-unscanned)"
            case .invalid(let reason): reason
            case .disk(let error): "could not \(error)"
            case .over: "the recording had ended"
            }
        return "\(line(of: request)): not recorded: \(reason)"
    }

    /// The note on a request that nothing could answer, and on the number of further requests with the same reason.
    static func note(on request: RecordedRequest, and more: Int, unanswered reason: String) -> String {
        let others = more == 0 ? "" : " and \(more) more request\(more == 1 ? "" : "s")"
        return "\(line(of: request))\(others): not recorded: \(reason)"
    }

    static func note(on request: RecordedRequest, mismatch: String) -> String {
        "\(line(of: request)): recorded, but the same request will not be answered from it, because of what was "
            + "redacted: \(mismatch)"
    }

    /// The note on a request that was answered before its body was received completely.
    static func note(onCutOff request: RecordedRequest) -> String {
        "\(line(of: request)): the server answered before it had received the complete body of the request; the same "
            + "request will be answered from it with any body (comparesBody in the cassette)"
    }

    static func note(onMissing log: RecordingLog) -> String {
        "\(log.file.path): the recording log was removed or replaced. Exchanges will still be written when the "
            + "recording ends, but a crash would lose them, and large bodies that were next to the log are already lost; "
            + "end the recording now"
    }

    private static func line(of request: RecordedRequest) -> String {
        "\(clipped(request.method)) \(clipped(request.url, to: 200))"
    }
}

extension RecordingLog.Leftovers {
    /// The notes on these leftovers.
    ///
    /// - Parameter isReplaced: Whether the leftovers are left out of the cassette.
    func notes(cassette path: String, isReplaced: Bool) -> [String] {
        let log = RecordingLog.path(forCassette: path)
        var notes: [String] = []
        if count > 0 {
            let verb = isReplaced ? "left out" : "recovered"
            notes.append("\(log): \(verb) \(count) exchange\(count == 1 ? "" : "s") from an interrupted recording")
        }
        if !unfinished.isEmpty, !isReplaced {
            notes.append(
                "\(log): \(unfinished.count) of these exchanges had not ended; a replay sends the part that was received "
                    + "and then resets the connection; record them again to get the rest"
            )
        }
        if !damaged.isEmpty {
            let places = damaged.prefix(5).map { "\($0.lowerBound)" }.joined(separator: ", ")
            notes.append(
                "\(log): left out \(damaged.count) damaged lines, at byte \(places)\(damaged.count > 5 ? ", …" : ""); "
                    + "they were moved to \(RecordingLog.damagedPath(forCassette: path)), which you can delete"
            )
        }
        return notes
    }
}

extension RecordingLog {
    /// The note on markers that are treated as stand-ins because the line that listed them might be damaged.
    func note(onRecovered marker: String, count: Int) -> String {
        "\(file.path): \(count) markers, such as \(marker), are in no list of stand-ins, probably because a line is damaged; "
            + "they were added to the cassette's standIns; if a client or server sent one of them as text, remove it there"
    }
}

extension RecordingError {
    /// Creates the error for data that could not be saved while recording to the cassette at `path`.
    init(cassette path: String, lost error: FileError, count: Int, log: RecordingLog) {
        self.init(
            "\(path): cannot \(error.call) \(error.path): \(error.reason); the cassette is unchanged; "
                + "exchanges in \(log.file.path): \(log.places.count); exchanges lost: \(count); \(Self.advice(error)); "
                + "to add those in the log, run: mockserver cassette recover \(path)"
        )
    }

    /// Creates the error for exchanges that are being lost while recording to the cassette at `path`.
    init(cassette path: String, losing count: Int, _ error: FileError) {
        let advice = error.isFull ? "free disk space" : "correct this"
        self.init(
            "\(path): cannot \(error.call) \(error.path): \(error.reason); exchanges lost so far: \(count); \(advice)"
        )
    }
}
