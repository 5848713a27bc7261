// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// A TLS stream over one connection. It knows neither the loop nor the handler; see `Socket+TLSEvents.swift`.
@safe
final class TLSStream {
    /// handshaking -> open -> ended or failed; and handshaking -> failed.
    enum Condition {
        case handshaking
        case open
        /// The peer has sent the closure alert and will send no more.
        case ended
        case failed(Failure)
    }

    /// A failure to report to the socket's handler.
    enum Failure: Error {
        case tls(TLSError)
        case system(SystemError)
    }

    private(set) var condition = Condition.handshaking
    /// Whether reading has to wait until all unsent bytes are sent.
    var isBlocked = false
    /// Whether writing has to wait for bytes from the peer.
    var sendWaitsForReading = false
    /// Whether to send FIN after the unsent bytes.
    var isFinishing = false
    /// Whether the last read took all available bytes.
    private(set) var isDrained = false
    private(set) var isSecured = false

    /// The error for which the peer's certificate was rejected.
    fileprivate(set) var flaw: TLSError?

    let context: TLSContext
    /// The expected host of the peer, or nil on a server's side.
    let peerName: String?
    private let ssl: OpaquePointer
    let wire: TLSWire
    private var hasFinished = false

    /// - Parameters:
    ///   - peerName: The expected host of the peer, or nil on a server's side.
    ///   - early: What was received already.
    init(
        _ context: TLSContext,
        descriptor: Int32,
        peerName: TLSPeerName?,
        received early: [UInt8] = []
    ) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw Self.unavailable() }
        unsafe self.ssl = ssl
        wire = TLSWire(descriptor: descriptor, received: early)
        self.context = context
        self.peerName = peerName?.text
        guard let bio = unsafe wire.makeBIO() else { throw Self.unavailable() }
        unsafe SSL_set_bio(ssl, bio, bio)
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        if let peerName {
            guard unsafe peerName.isExpected(by: ssl) else { throw Self.unavailable() }
            unsafe SSL_set_connect_state(ssl)
        } else {
            unsafe SSL_set_accept_state(ssl)
        }
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    private static func unavailable() -> TLSError {
        TLSError(.configuration, "cannot create a TLS connection: \(OpenSSLErrors.take().text)")
    }

    var isHandshaking: Bool {
        if case .handshaking = condition { true } else { false }
    }

    var isOpen: Bool {
        if case .open = condition { true } else { false }
    }

    var isWritable: Bool {
        switch condition {
        case .open, .ended: wire.unsent.isEmpty && !sendWaitsForReading
        case .handshaking, .failed: false
        }
    }

    /// Whether there are bytes or an end to report even if the socket is not readable.
    var hasPending: Bool {
        switch condition {
        case .handshaking: false
        case .open: unsafe SSL_has_pending(ssl) == 1
        case .ended, .failed: true
        }
    }

    var negotiatedProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &start, &length)
        guard let start = unsafe start, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
    }

    var version: TLSVersion? {
        TLSVersion.allCases.first { unsafe SSL_version(ssl) == $0.number }
    }

    // MARK: Steps

    func continueHandshake() {
        guard isHandshaking else { return }
        OpenSSLErrors.clear()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 {
            // No application data has been sent yet.
            if let pins = context.pins, let error = unsafe pins.refusal(of: ssl, peer: peerName ?? "the server") {
                condition = .failed(.tls(error))
                return
            }
            condition = .open
            isSecured = true
        } else {
            _ = settle(unsafe SSL_get_error(ssl, result))
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        isDrained = false
        while isOpen, !isBlocked, count < buffer.count {
            OpenSSLErrors.clear()
            var taken = 0
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let result = unsafe SSL_read_ex(ssl, rest.baseAddress, rest.count, &taken)
            count += taken
            if result == 1 {
                // Another read from the socket would cost a system call and return nothing.
                isDrained = unsafe wire.isDrained && SSL_has_pending(ssl) == 0
            } else {
                isDrained = settle(unsafe SSL_get_error(ssl, result))
            }
            if isDrained { break }
        }
        return count
    }

    /// Writes one record of at most 16 KiB.
    ///
    /// - Returns: The number of bytes written, or 0 if the peer has to send something first.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try requireWriting()
        OpenSSLErrors.clear()
        var taken = 0
        let result = unsafe SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &taken)
        if result == 1 { return taken }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            sendWaitsForReading = true
        case SSL_ERROR_WANT_WRITE:
            break
        case let code:
            // After a system error, reading continues: bytes from the peer may still be waiting.
            if wire.sendError == 0 { _ = settle(code) }
            try requireWriting()
        }
        return 0
    }

    func requireWriting() throws(SystemError) {
        if wire.sendError != 0 { throw SystemError(code: wire.sendError, call: "send") }
        if case .failed = condition { throw SystemError(code: EPIPE, call: "send") }
        if hasFinished { throw SystemError(code: EPIPE, call: "send") }
    }

    /// Sends the closure alert, once.
    func finish() {
        switch condition {
        case .open, .ended:
            guard !hasFinished else { return }
            hasFinished = true
            unsafe SSL_shutdown(ssl)
        case .handshaking, .failed:
            return
        }
    }

    /// Sends the closure alert and returns the bytes that the socket has yet to send.
    func finishAndTakeUnsent() -> [UInt8] {
        finish()
        return isHandshaking || wire.sendError != 0 ? [] : wire.takeUnsent()
    }

    /// Records why a call did not complete. Returns true if more bytes have to arrive first.
    private func settle(_ code: Int32) -> Bool {
        switch code {
        case SSL_ERROR_WANT_READ: return true
        case SSL_ERROR_WANT_WRITE: isBlocked = true
        case SSL_ERROR_ZERO_RETURN: condition = .ended
        default: condition = .failed(failure(OpenSSLErrors.take()))
        }
        return false
    }

    fileprivate func refuse(_ store: OpaquePointer) {
        if flaw == nil { flaw = unsafe TLSError.flaw(found: store, peerName: peerName) }
    }
}

/// OpenSSL's verification callback, called for each certificate in the chain, valid or not.
func certificateWasChecked(_ isValid: Int32, _ store: OpaquePointer?) -> Int32 {
    if isValid == 1 { return 1 }
    let ssl = unsafe OpaquePointer(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()))
    if let store = unsafe store, let stream = unsafe target(SSL_get_ex_data(ssl, 0), as: TLSStream.self) {
        unsafe stream.refuse(store)
    }
    return 0
}
