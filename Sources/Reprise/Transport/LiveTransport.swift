// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    /// The live transport of the platform: `SocketTransport` on Linux and ``URLSessionTransport`` on Apple platforms.
    ///
    /// A client uses `LiveTransport.shared` if it was created without a transport and ``Ambient/transport`` is not set.
    public typealias LiveTransport = SocketTransport
#else
    /// The live transport of the platform: `SocketTransport` on Linux and ``URLSessionTransport`` on Apple platforms.
    ///
    /// A client uses `LiveTransport.shared` if it was created without a transport and ``Ambient/transport`` is not set.
    public typealias LiveTransport = URLSessionTransport
#endif
