// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage

/// The log of an interrupted recording, whose exchanges are not in the cassette yet.
package struct WaitingRecording: Sendable, Hashable, CustomStringConvertible {
    /// The path of the cassette.
    package let cassette: String

    /// Finds the log of the cassette at `path`. Returns `nil` if there is none, or if a recorder uses it.
    package init?(cassette path: String) {
        let path = FilePlace(path).target.path
        let log = FilePlace(RecordingLog.path(forCassette: path))
        guard log.exists, !log.isFolder, let file = try? StorageFile(log.path, for: .reading),
            (try? file.size) ?? 0 > 0, (try? file.lock()) == true
        else { return nil }
        cassette = path
    }

    /// What waits, and what to do.
    package var description: String { "\(reason); to add them, run: mockserver cassette recover \(cassette)" }

    /// What waits.
    package var reason: String {
        "\(RecordingLog.path(forCassette: cassette)): exchanges of an interrupted recording are not in the cassette"
    }

    /// Finds the logs beside the cassettes among `paths` and in folders among them, also of cassettes that do not
    /// exist yet.
    package static func all(in paths: [String]) -> [WaitingRecording] {
        paths.flatMap { path in
            if FixtureFileReader.item(at: path) == .folder { return inFolder(path, depth: 0) }
            return WaitingRecording(cassette: path).map { [$0] } ?? []
        }
    }

    private static let maximumDepth = 32

    private static func inFolder(_ path: String, depth: Int) -> [WaitingRecording] {
        guard depth < maximumDepth, let names = try? FixtureFileReader.names(inFolder: path) else { return [] }
        return names.flatMap { name in
            let place = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            if name.hasSuffix(RecordingLog.suffix) {
                return WaitingRecording(cassette: String(place.dropLast(RecordingLog.suffix.count))).map { [$0] } ?? []
            }
            let isFolder =
                !name.hasPrefix(".") && !name.hasSuffix(".bodies") && FixtureFileReader.item(at: place) == .folder
            return isFolder ? inFolder(place, depth: depth + 1) : []
        }
    }
}
