// SPDX-License-Identifier: Apache-2.0

import Logging
import RepriseIO

/// Writes the server's own problems to standard error, without waiting for a reader.
struct StandardErrorLog: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Report.messageWhileServing("\(event.level): \(event.message)")
    }
}
