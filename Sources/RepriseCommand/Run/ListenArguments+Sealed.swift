// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseServer

extension ListenArguments.Resolved {
    /// Makes the server listen in a new network, the only one that the command gets.
    mutating func seal() throws -> SealedNetwork {
        do {
            let network = try SealedNetwork()
            configuration.sockets = [try network.listen(host: configuration.host, port: port)]
            return network
        } catch {
            throw Report.failure(
                """
                --sealed: \(error); without --sealed, the command runs, but requests that go around the mock server \
                reach the network
                """
            )
        }
    }
}
