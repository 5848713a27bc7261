// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A reserved port on which no server listens, so connections to it are refused.
///
/// A port that has only been closed is given to the next test that requests a free one, which would then receive
/// connections meant for another test.
final class HeldPort: Sendable {
    private let descriptor: Int32

    /// Reserves `port` at a numeric address. Returns nil if it is in use.
    init?(host: String, port: Int) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let address = unsafe list?.pointee else {
            return nil
        }
        defer { unsafe freeaddrinfo(list) }
        #if canImport(Glibc)
            descriptor = unsafe socket(address.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = unsafe socket(address.ai_family, SOCK_STREAM, 0)
        #endif
        // Earlier connections on the port may still exist.
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }
}
