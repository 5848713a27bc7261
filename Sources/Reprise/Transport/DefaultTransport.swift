// SPDX-License-Identifier: Apache-2.0

/// The transport of clients that were created without one, if ``Ambient/transport`` is not set.
package enum DefaultTransport {
    #if os(Linux)
        package static let shared: any Transport = SocketTransport.shared
    #else
        package static let shared: any Transport = URLSessionTransport.shared
    #endif
}
