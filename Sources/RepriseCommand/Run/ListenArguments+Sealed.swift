// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseServer

extension ListenArguments.Resolved {
    /// Makes the server listen in the network of a command, which has no other.
    mutating func seal() throws -> SealedNetwork {
        do {
            let network = try SealedNetwork()
            configuration.sockets = [try network.listen(host: configuration.host, port: port)]
            return network
        } catch {
            throw Report.failure(
                """
                --sealed: \(error); without --sealed, the command runs, but what does not go to the mock server reaches \
                the network
                """
            )
        }
    }
}
