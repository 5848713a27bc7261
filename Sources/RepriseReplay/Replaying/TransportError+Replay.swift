// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseText

extension TransportError {
    static var cancelledInReplay: Self { Self(.cancelled, "the task was cancelled before the replay had answered") }

    /// The failure that was recorded in place of a response.
    init(replaying answer: PreparedAnswer) {
        switch answer.failure {
        case .connectionRefused: self.init(.connectionRefused, "the connection was refused when this was recorded")
        case .dns: self.init(.nameNotResolved, "the host's name did not resolve when this was recorded")
        case .tls: self.init(.tls, "the connection could not be secured when this was recorded")
        case .timedOut: self.init(.timedOut, "there was no answer in time when this was recorded")
        case .connectionLost, nil: self.init(.reset, "the connection broke before a response when this was recorded")
        }
    }

    /// How a body ended that was not complete.
    init(replaying ending: Ending) {
        switch ending {
        case .complete, .reset: self.init(.reset, "the connection broke here when this was recorded")
        case .truncated: self.init(.truncated, "the connection was closed here, too early, when this was recorded")
        case .timedOut: self.init(.timedOut, "nothing more came in time when this was recorded")
        }
    }
}
