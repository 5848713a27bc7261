// SPDX-License-Identifier: Apache-2.0

import Logging
import RepriseLocking

/// Collects log lines.
final class LogRecord: Sendable {
    struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: Logger.Metadata

        subscript(key: String) -> String? { metadata[key].map { "\($0)" } }

        /// The first word of the message, such as `start` or `end`.
        var event: String { String(message.prefix { $0 != " " }) }
    }

    private let state = Locked<[Line]>([])

    var lines: [Line] { state.withLock { $0 } }
    var events: [String] { lines.map(\.event) }
    /// All messages and their metadata.
    var text: String { lines.map { "\($0.message) \($0.metadata)\n" }.joined() }

    var logger: Logger { Logger(label: "test") { _ in Handler(record: self) } }

    private struct Handler: LogHandler {
        let record: LogRecord
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let line = Line(level: event.level, message: event.message.description, metadata: all)
            record.state.withLock { $0.append(line) }
        }
    }
}
