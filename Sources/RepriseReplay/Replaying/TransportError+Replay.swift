// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseText

extension TransportError {
    static var cancelledInReplay: Self { Self(.cancelled, "the task was canceled before the replay answered") }

    /// The error of a request whose recording was canceled, if its own timeout is reached first.
    static func silent(_ timeout: Duration) -> Self {
        Self(
            .timedOut,
            "no response was received within \(timeout), because the request was canceled when this was recorded"
        )
    }

    /// The error of a stub that answers with bytes that are not HTTP.
    static var malformedStub: Self { Self(.malformedResponse, "the stub answers with bytes that are not HTTP") }

    /// Creates the failure that was recorded instead of a response.
    init(replaying answer: PreparedAnswer) {
        guard answer.isRecorded else {
            self.init(ofStub: answer)
            return
        }
        switch answer.failure {
        case .connectionRefused: self.init(.connectionRefused, "the connection was refused when this was recorded")
        case .dns: self.init(.nameNotResolved, "the host name could not be resolved when this was recorded")
        case .tls: self.init(.tls, "the connection could not be secured when this was recorded")
        case .cancelled: self = .cancelledInReplay
        case .timedOut: self.init(.timedOut, "the request timed out when this was recorded")
        case .connectionLost, nil:
            self.init(.reset, "the connection was lost before a response when this was recorded")
        }
    }

    /// Creates the failure of a stub that has no response: what a transport with a connection reports.
    private init(ofStub answer: PreparedAnswer) {
        switch answer.steps.first {
        case .raw?: self = .malformedStub
        case .end(.truncated)?: self.init(.truncated, "the stub closes the connection without a response")
        default: self.init(.reset, "the stub resets the connection without a response")
        }
    }

    /// Creates the error for the body of a stub that ends before it is complete.
    init(ofStub ending: Ending) {
        switch ending {
        case .complete, .reset: self.init(.reset, "the stub resets the connection here")
        case .truncated: self.init(.truncated, "the stub closes the connection here, before the body is complete")
        case .timedOut, .cancelled: self.init(.timedOut, "the stub sends nothing more from here on")
        }
    }

    /// Creates the error for a recorded body that ended before it was complete.
    init(replaying ending: Ending) {
        switch ending {
        case .complete, .reset: self.init(.reset, "the connection was reset here when this was recorded")
        case .truncated: self.init(.truncated, "the connection was closed here, too early, when this was recorded")
        case .timedOut: self.init(.timedOut, "the body timed out here when this was recorded")
        case .cancelled:
            self.init(.timedOut, "nothing more was recorded, because the client canceled the request here")
        }
    }
}
