// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The events that a reader of the event stream wants.
struct EventFilter: Sendable, Hashable {
    /// The requests and changes of a session, or those outside of sessions.
    struct Scope: Sendable, Hashable {
        /// The session; nil for what belongs to no session.
        var session: SessionID?
    }

    /// The names of the events; nil for all.
    var names: Set<String>?
    /// The session whose events are wanted; nil for the events of all sessions and of the server.
    var scope: Scope?

    func includes(_ entry: EventHistory.Entry) -> Bool {
        if let names, let name = entry.name, !names.contains(name) { return false }
        switch (entry.audience, scope) {
        case (_, nil), (.all, _): return true
        case (.session(let session), let scope?): return session == scope.session
        case (.unscoped, _): return false
        }
    }

    /// All names, without those of the stream itself.
    static let allNames = [
        "request", "answer", "miss", "completed", "cut-off", "reload", "reload-failed", "reset", "stub",
        "recording-started", "recording-finished",
    ]
}

extension EventFilter {
    /// Creates the filter from a request's query: `kind`, with names of events, and `session`. At a session's own URL,
    /// the filter always selects that session.
    init(_ request: AdminRequest) throws(AdminFailure) {
        self.init()
        for parameter in request.query where parameter.name == "kind" {
            for name in parameter.value.split(separator: ",") {
                let name = String(name)
                guard Self.allNames.contains(name) else {
                    let near = nearest(to: name, among: Self.allNames).map { "did you mean '\($0)'?" }
                    throw .invalidParameter(
                        "kind",
                        "expected the name of an event, found '\(shown(name))'; "
                            + (near ?? "use one of \(Self.allNames.joined(separator: ", "))")
                    )
                }
                names = (names ?? []).union([name])
            }
        }
        let asked = request.parameter("session")
        if let session = request.session {
            guard asked == nil || asked == session.text else {
                throw .invalidParameter(
                    "session",
                    "expected the session of this URL, found '\(shown(asked ?? ""))'; use the server's own URL"
                )
            }
            scope = Scope(session: session)
        } else if let asked {
            scope = Scope(session: asked.isEmpty ? nil : SessionID(asked))
        }
    }
}
