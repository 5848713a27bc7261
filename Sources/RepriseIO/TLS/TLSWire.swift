// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent
private import CRepriseOpenSSL

/// The connection as OpenSSL sees it: a BIO on a socket that takes all that is written.
///
/// What the socket has no room for waits here. So a record that was made is never made again, a `send` says truly how
/// much it took, and reading never stops because an alert or an answer to a key update cannot be written.
/// Like everything that is written here, it ends in an error instead of a signal (SIGPIPE) if the peer is gone.
@safe
final class TLSWire {
    /// The error of the last receive or send that failed for good; 0 if none did.
    private(set) var receiveError: Int32 = 0
    private(set) var sendError: Int32 = 0
    /// Whether the last receive took all there was.
    private(set) var isDrained = false
    /// Whether the peer has sent FIN.
    private(set) var isAtEnd = false
    /// The first bytes received, if they cannot be a record's: the peer's protocol is another.
    private(set) var foreignBytes: [UInt8] = []
    private var isUntouched = true

    /// What the socket has not taken yet.
    private(set) var unsent: [UInt8] = []

    private let descriptor: Int32

    /// Only a peer that asks for answers and never reads them gets this far. It is read no more until it does.
    static let unsentLimit = 64 << 10

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// A BIO for one SSL, which owns it; the wire has to outlive it.
    func makeBIO() -> OpaquePointer? {
        guard let bio = unsafe BIO_new(Self.method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Unsafe only because a pointer is not `Sendable`: it is made once, under Swift's lock for static properties, and
    /// never changed; OpenSSL only reads what it points to.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket")
        unsafe BIO_meth_set_read_ex(method, wireShallReceive)
        unsafe BIO_meth_set_write_ex(method, wireShallSend)
        unsafe BIO_meth_set_ctrl(method, wireShallDo)
        return unsafe method
    }()

    /// Sends what waits, as much as the socket takes; nothing waits any more once sending has failed.
    func flush() {
        guard !unsent.isEmpty else { return }
        let taken = unsafe unsent.withUnsafeBytes { unsafe send($0) }
        unsent.removeFirst(sendError == 0 ? taken : unsent.count)
    }

    /// Gives what waits to somebody else.
    func takeUnsent() -> [UInt8] {
        defer { unsent = [] }
        return unsent
    }

    enum Outcome: Equatable {
        case bytes(Int)
        case end, later, failure
    }

    /// What OpenSSL reads.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            isDrained = count < buffer.count
            if count > 0 {
                if isUntouched { unsafe noteFirstBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return .bytes(count)
            }
            if count == 0 {
                isAtEnd = true
                return .end
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .later
            case let code:
                receiveError = code
                return .failure
            }
        }
    }

    /// The types of records are 20 to 24 (RFC 8446 section 5.1).
    private func noteFirstBytes(_ bytes: UnsafeRawBufferPointer) {
        isUntouched = false
        if unsafe !(20...24).contains(bytes[0]) { unsafe foreignBytes = Array(bytes.prefix(48)) }
    }

    /// What OpenSSL writes: all of it or nothing.
    func take(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if unsent.isEmpty {
            let taken = unsafe send(bytes)
            if sendError != 0 { return .failure }
            if taken < bytes.count { unsafe unsent.append(contentsOf: bytes[taken...]) }
            return .bytes(bytes.count)
        }
        if unsent.count >= Self.unsentLimit { return .later }
        unsafe unsent.append(contentsOf: bytes)
        return .bytes(bytes.count)
    }

    /// How many bytes the socket takes; fewer if it has no room or has failed.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        while sendError == 0 {
            let taken = unsafe shim_send(descriptor, bytes.baseAddress, bytes.count)
            if taken >= 0 { return taken }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return 0
            case let code: sendError = code
            }
        }
        return 0
    }
}

// MARK: - What OpenSSL calls

private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

private func wire(_ bio: OpaquePointer?) -> TLSWire? {
    unsafe target(BIO_get_data(bio), as: TLSWire.self)
}

private func wireShallReceive(
    _ bio: OpaquePointer?,
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let wire = unsafe wire(bio) else { return 0 }
    switch unsafe wire.receive(into: UnsafeMutableRawBufferPointer(start: bytes, count: count)) {
    case .bytes(let count):
        unsafe taken?.pointee = count
        return 1
    case .later:
        unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return 0
    case .end, .failure:
        return 0
    }
}

private func wireShallSend(
    _ bio: OpaquePointer?,
    _ bytes: UnsafePointer<CChar>?,
    _ count: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let wire = unsafe wire(bio) else { return 0 }
    switch unsafe wire.take(UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .bytes(let count):
        unsafe taken?.pointee = count
        return 1
    case .later:
        unsafe BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        return 0
    case .end, .failure:
        return 0
    }
}

private func wireShallDo(
    _ bio: OpaquePointer?,
    _ command: Int32,
    _: Int,
    _: UnsafeMutableRawPointer?
) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_EOF: unsafe wire(bio)?.isAtEnd == true ? 1 : 0
    default: 0
    }
}
