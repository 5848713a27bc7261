// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport

extension ScriptedServer {
    /// A client of this server over the platform's live transport.
    ///
    /// Its timeouts only guard against hanging.
    func client(_ configuration: Client.Configuration = .init()) -> Client {
        var configuration = configuration
        configuration.timeout = .seconds(180)
        configuration.connectTimeout = .seconds(180)
        #if os(Linux)
            let transport = SocketTransport(.init(proxies: .none))
        #else
            let transport = URLSessionTransport()
        #endif
        return Client("http://127.0.0.1:\(port)", transport: transport, configuration: configuration)
    }
}

extension RawRequest {
    /// A response with this content and its length, as it goes over the wire.
    static func response(_ status: String = "200 OK", _ fields: String..., body: String = "") -> String {
        let lines = fields.map { "\($0)\r\n" }.joined()
        return "HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
