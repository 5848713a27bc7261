// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTesting

/// A transport that logs the traffic of another transport.
struct Traffic: Transport {
    private let base: any Transport
    private let refusals: Int
    private let log = Log()

    /// - Parameter refusals: The number of requests that must be refused before any of them receives its response.
    init(over base: any Transport, untilRefused refusals: Int) {
        self.base = base
        self.refusals = refusals
    }

    /// Lines such as `GET /v1/photos 401`, in the order of the responses.
    var lines: [String] {
        get async { await log.lines }
    }

    /// The content of all requests.
    var sent: [UInt8] {
        get async { await log.sent }
    }

    /// Always true, so that the client sets no timeout of its own: the machine may be slow.
    var enforcesTimeout: Bool { true }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        var options = options
        options.timeout = nil
        options.connectTimeout = .seconds(180)
        let noted = body.map { body in
            let chunks = body.map { chunk in
                await log.send(chunk)
                return chunk
            }
            return Body(chunks, length: body.length, isReplayable: body.isReplayable)
        }
        let response = try await base.send(request, body: noted, options: options)
        await log.note("\(request.method) \(request.path ?? "") \(response.status.code)")
        if response.status == .unauthorized { await log.refuse(until: refusals) }
        return response
    }

    private actor Log {
        private(set) var lines: [String] = []
        private(set) var sent: [UInt8] = []
        private var refused = 0
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func send(_ chunk: [UInt8]) { sent += chunk }

        func note(_ line: String) { lines.append(line) }

        /// Waits until `count` requests were refused.
        func refuse(until count: Int) async {
            refused += 1
            if refused < count {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                for continuation in waiting { continuation.resume() }
                waiting = []
            }
        }
    }
}
