// SPDX-License-Identifier: Apache-2.0

import RepriseRecording

/// Shows a line with counts on a terminal during a recording.
final class RecordingStatus: Sendable {
    private let task: Task<Void, Never>

    /// Shows the line until ``end()``.
    init(_ recorder: CassetteRecorder) {
        task = Task {
            var shown = ""
            while !Task.isCancelled {
                let text = Self.text(recorder.summary)
                if text != shown { Report.status(text) }
                shown = text
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    func end() async {
        task.cancel()
        await task.value
        Report.status("")
    }

    static func text(_ summary: CassetteRecorder.Summary) -> String {
        var text = "\(summary.exchanges) recorded"
        if summary.refused > 0 { text += ", \(summary.refused) not written" }
        if !summary.notes.isEmpty { text += ", \(summary.notes.count) noted" }
        return text
    }
}
