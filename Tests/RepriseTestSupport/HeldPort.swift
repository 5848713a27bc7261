// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A port at which nobody listens, and which nobody else is given: whoever connects is refused.
///
/// A port that was merely closed goes to the next test that asks for a free one, which then has a stranger's connection.
final class HeldPort: Sendable {
    private let descriptor: Int32

    /// Takes `port` at a numeric address; nil if somebody has it.
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
        // Connections of before may be there yet.
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
