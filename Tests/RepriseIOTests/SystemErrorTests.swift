// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct SystemErrorTests {
    @Test func describesCallAndError() {
        let error = SystemError(code: EADDRINUSE, call: "bind 127.0.0.1:8080")
        #expect("\(error)" == "bind 127.0.0.1:8080: address already in use")
        #expect(error.isAddressInUse)
    }

    @Test(arguments: [ECONNRESET, EPIPE])
    func recognizesLostConnection(code: Int32) {
        #expect(SystemError(code: code, call: "send").isConnectionLost)
    }

    @Test func errorNamesUnresolvedHost() throws {
        let error = try #require(throws: SystemError.self) {
            try ListeningSocket.bind(host: "no such host", port: 0)
        }
        #expect("\(error)".hasPrefix("bind no such host:0: "))
        #expect(error.code == 0)
    }
}
