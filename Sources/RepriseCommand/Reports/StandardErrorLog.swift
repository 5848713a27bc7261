// SPDX-License-Identifier: Apache-2.0

import Logging
import RepriseIO

/// What the server has to say of its own troubles, as lines on standard error. Never waits for their reader.
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
