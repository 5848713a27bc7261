// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// One loop of a server, as the rest of the program sees it: an actor whose executor is the loop's thread, so that its
/// state needs no lock and its callbacks no hop.
actor LoopWorker: LoopBound {
    nonisolated let loop: EventLoop
    private let state: LoopState

    init(
        loop: EventLoop,
        shared: SharedState,
        requestLog: RequestLog?,
        tls: TLSContext?,
        configuration: MockServer.Configuration
    ) {
        self.loop = loop
        state = LoopState(loop: loop, shared: shared, requestLog: requestLog, tls: tls, configuration: configuration)
    }

    func listen(on socket: ListeningSocket) throws(SystemError) {
        try state.listen(on: socket)
    }

    var journal: (entries: [JournalEntry], dropped: Int) {
        (state.journalEntries, state.journal.dropped)
    }

    var connectionCount: Int { state.connectionCount }

    func stop(grace: Duration) async {
        await withCheckedContinuation { continuation in
            state.stop(grace: grace) { continuation.resume() }
        }
    }
}
