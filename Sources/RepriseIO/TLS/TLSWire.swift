// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent
private import CRepriseOpenSSL

/// The connection as OpenSSL sees it: a BIO on a socket that accepts everything written to it.
///
/// Bytes that do not fit into the socket's buffer wait here. As a result, no record is encoded twice, `send` returns
/// exactly how many bytes it took, and reading never stops because an alert or the response to a key update cannot be
/// written. As in the rest of this module, writing to a closed connection fails with an error and does not raise
/// SIGPIPE.
@safe
final class TLSWire {
    /// The error of the last receive or send that cannot be retried; 0 if there was none.
    private(set) var receiveError: Int32 = 0
    private(set) var sendError: Int32 = 0
    /// Whether the last receive took all available bytes.
    private(set) var isDrained = false
    /// Whether the peer has sent FIN.
    private(set) var isAtEnd = false
    /// The first received bytes if they cannot be a TLS record, because the peer speaks another protocol.
    private(set) var foreignBytes: [UInt8] = []
    var isPlainText: Bool { foreignBytes.first.map { (0x41...0x5A).contains($0 & 0xDF) } ?? false }
    private var isUntouched = true

    private(set) var unsent: [UInt8] = []
    /// The bytes received before the handshake began, which are read first.
    private var early: ArraySlice<UInt8>

    private let descriptor: Int32

    /// The limit on unsent bytes. Only a peer that requests answers without reading them reaches this limit. No more is
    /// then read from the peer until it reads the answers.
    static let unsentLimit = 64 << 10

    init(descriptor: Int32, received early: [UInt8] = []) {
        self.descriptor = descriptor
        self.early = early[...]
    }

    /// Creates a BIO for one SSL object, which owns it. The wire has to outlive it.
    func makeBIO() -> OpaquePointer? {
        guard let bio = unsafe BIO_new(Self.method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Unsafe only because a pointer is not `Sendable`. It is created once, under Swift's lock for static properties,
    /// and never changed. OpenSSL only reads the memory it points to.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket")
        unsafe BIO_meth_set_read_ex(method, bioRead)
        unsafe BIO_meth_set_write_ex(method, bioWrite)
        unsafe BIO_meth_set_ctrl(method, bioControl)
        return unsafe method
    }()

    /// Sends as many waiting bytes as the socket takes. If sending has failed, drops all of them.
    func flush() {
        guard !unsent.isEmpty else { return }
        let taken = unsafe unsent.withUnsafeBytes { unsafe send($0) }
        unsent.removeFirst(sendError == 0 ? taken : unsent.count)
    }

    func takeUnsent() -> [UInt8] {
        defer { unsent = [] }
        return unsent
    }

    enum Outcome: Equatable {
        case bytes(Int)
        case end, later, failure
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if !early.isEmpty {
            isDrained = false
            let piece = early.prefix(buffer.count)
            early = early.dropFirst(piece.count)
            unsafe buffer.copyBytes(from: piece)
            return .bytes(piece.count)
        }
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            isDrained = count < buffer.count
            if count > 0 {
                if isUntouched { unsafe noteFirstBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                // OpenSSL would send an alert, which a peer without TLS cannot read.
                return isPlainText ? .failure : .bytes(count)
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

    /// Record types are 20 to 24 (RFC 8446 section 5.1).
    private func noteFirstBytes(_ bytes: UnsafeRawBufferPointer) {
        isUntouched = false
        if unsafe !(20...24).contains(bytes[0]) { unsafe foreignBytes = Array(bytes.prefix(48)) }
    }

    /// Accepts all bytes that OpenSSL writes, or none.
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

    /// Returns how many bytes the socket takes, which is fewer than given if it has no room or has failed.
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

// MARK: - OpenSSL callbacks

private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

private func wire(_ bio: OpaquePointer?) -> TLSWire? {
    unsafe target(BIO_get_data(bio), as: TLSWire.self)
}

private func bioRead(
    _ bio: OpaquePointer?,
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let wire = unsafe wire(bio) else { return 0 }
    let result = unsafe wire.receive(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    return unsafe report(result, to: bio, taken, later: BIO_FLAGS_READ)
}

private func bioWrite(
    _ bio: OpaquePointer?,
    _ bytes: UnsafePointer<CChar>?,
    _ count: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let wire = unsafe wire(bio) else { return 0 }
    let result = unsafe wire.take(UnsafeRawBufferPointer(start: bytes, count: count))
    return unsafe report(result, to: bio, taken, later: BIO_FLAGS_WRITE)
}

private func report(
    _ result: TLSWire.Outcome,
    to bio: OpaquePointer?,
    _ taken: UnsafeMutablePointer<Int>?,
    later flag: Int32
) -> Int32 {
    switch result {
    case .bytes(let count):
        unsafe taken?.pointee = count
        return 1
    case .later:
        unsafe BIO_set_flags(bio, flag | BIO_FLAGS_SHOULD_RETRY)
        return 0
    case .end, .failure:
        return 0
    }
}

private func bioControl(
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
