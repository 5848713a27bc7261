// SPDX-License-Identifier: Apache-2.0

import RepriseIO

@testable import RepriseServer

extension MockServer {
    /// The number of open connections.
    var connectionCount: Int {
        get async {
            var count = 0
            for worker in await control.loops { count += await worker.run { $0.connectionCount } }
            return count
        }
    }

    /// The number of connections whose answer is being found on another thread.
    var pendingAnswerCount: Int {
        get async {
            var count = 0
            for worker in await control.loops {
                count += await worker.run { state in
                    state.connections.count {
                        ($0.session as? HTTP1Session)?.exchange.sourced?.source is BackgroundAnswer
                    }
                }
            }
            return count
        }
    }
}
