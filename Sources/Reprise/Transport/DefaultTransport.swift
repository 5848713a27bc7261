// SPDX-License-Identifier: Apache-2.0

/// The transport of clients that were given none, where no ``Ambient/transport`` is set either.
enum DefaultTransport {
    #if canImport(HTTPConnections)
        static var shared: any Transport { SocketTransport.shared }
    #endif
}
