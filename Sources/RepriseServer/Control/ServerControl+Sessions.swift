// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseMatching

/// A session with what clients need to reach it.
struct OpenSession {
    let info: SessionInfo
    /// The loop that accepts connections at the session's port.
    let loop: LoopBound<LoopState>
    /// The number of uses at the last check, and the number of checks since it last changed.
    var uses = 0
    var idleLooks = 0
}

/// Opens and closes sessions, and closes those that are idle.
extension ServerControl {
    /// The open sessions, oldest first.
    var sessions: [SessionInfo] {
        openSessions.values.map(\.info).sorted { $0.number < $1.number }
    }

    /// Opens a session, which serves what the server does until its stubs change.
    ///
    /// Requests belong to it if they arrive at its port, if their path begins with its prefix, or if their header field
    /// `Reprise-Session` names it. Once it has ended, its port is closed, and other such requests get status 404.
    ///
    /// - Throws: ``SessionError`` if there are too many sessions, or if the system has no port for it.
    func openSession() async throws(SessionError) -> SessionInfo {
        guard openSessions.count < Self.maximumSessions else { throw SessionError(maximum: Self.maximumSessions) }
        guard !loops.isEmpty else { preconditionFailure("a server has at least one loop") }
        let loop = loops[sessionCount % loops.count]
        let id = SessionID.random()
        do throws(SystemError) {
            let socket = try ListeningSocket.bind(host: AdminHost.loopback(for: configuration.host), port: 0)[0]
            sessionCount += 1
            let listener = SessionListener(id: id, number: sessionCount)
            let scheme = configuration.tls == nil ? "http" : "https"
            let info = SessionInfo(
                id: id,
                number: listener.number,
                port: socket.port,
                url: "\(scheme)://\(socket.authority)",
                prefixURL: "\(Self.reachable(url))\(SessionRoute.prefix)\(id)"
            )
            openSessions[id] = OpenSession(info: info, loop: loop)
            var sessions = shared.current.sessions
            sessions[id] = ServedSession(id, number: listener.number, HTTP1Encoder(configuration))
            publish(ServingState(shared.current, sessions: sessions))
            await changesAreVisible()
            do throws(SystemError) {
                try await loop.run { state throws(SystemError) in try state.listen(on: socket, for: listener) }
            } catch {
                await closeSession(id)
                throw error
            }
            watchSessions()
            return info
        } catch {
            throw SessionError(error)
        }
    }

    /// Ends a session. Its stubs, states, and counters are gone; the journal keeps its requests.
    ///
    /// - Returns: Whether it was open.
    @discardableResult
    func closeSession(_ id: SessionID) async -> Bool {
        guard let open = openSessions.removeValue(forKey: id) else { return false }
        var sessions = shared.current.sessions
        sessions[id] = nil
        publish(ServingState(shared.current, sessions: sessions))
        await changesAreVisible()
        await open.loop.run { $0.closeListener(of: id) }
        journalMarks.forget(session: open.info.number)
        return true
    }

    /// Ends the sessions that were idle for the time in the configuration. Called sixty times within that time.
    ///
    /// - Returns: Whether there are open sessions.
    func endIdleSessions() async -> Bool {
        let served = shared.current.sessions
        for (id, open) in openSessions {
            let uses = served[id]?.uses.taken ?? 0
            var open = open
            open.idleLooks = uses == open.uses ? open.idleLooks + 1 : 0
            open.uses = uses
            openSessions[id] = open
        }
        for (id, open) in openSessions where open.idleLooks >= Self.looks { await closeSession(id) }
        return !openSessions.isEmpty
    }

    /// The number of checks of a session within the time that it may be idle.
    private static let looks = 60

    private static let maximumSessions = 10_000

    private func watchSessions() {
        guard sessionWatch == nil else { return }
        let (clock, interval) = (configuration.sessionClock, configuration.sessionIdleTime / Self.looks)
        sessionWatch = Task { [weak self] in
            repeat {
                do { try await clock.sleep(for: interval) } catch { return }
            } while await self?.endIdleSessionsOrRest() == true
        }
    }

    /// Ends idle sessions, and the watch itself if there are none left.
    private func endIdleSessionsOrRest() async -> Bool {
        if await endIdleSessions() { return true }
        sessionWatch = nil
        return false
    }

    /// Returns the URL of the server with an address that clients can connect to. The unspecified address, at which a
    /// server listens on all interfaces, is not one, and the admin API does not accept it as a Host.
    static func reachable(_ url: String) -> String {
        url.replacing("//0.0.0.0:", with: "//127.0.0.1:").replacing("//[::]:", with: "//[::1]:")
    }
}

extension MockServer.Configuration {
    /// The options with which the command-line tool reaches the server at a URL. The second one is the URL.
    func serverOptions(_ url: String) -> [String] {
        let server = ["--server", ServerControl.reachable(url)]
        return switch tls {
        case nil: server
        case .localAuthority(let folder?, _): server + ["--tls-ca", "\(folder)/\(LocalAuthority.certificateName)"]
        case .localAuthority, .files: server + ["--insecure"]
        }
    }
}

/// The reason that a session cannot be opened.
struct SessionError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ error: SystemError) {
        description = "cannot listen for another session: \(error)"
    }

    fileprivate init(maximum: Int) {
        description = "expected at most \(maximum) open sessions; delete sessions when their tests end"
    }
}
