// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// A protected stream of bytes over one connection. It knows neither loop nor handler: see `Socket+TLSEvents.swift`.
@safe
final class TLSStream {
    /// handshaking -> open -> ended or failed; and handshaking -> failed.
    enum Condition {
        case handshaking
        case open
        /// The peer has said that it will send no more.
        case ended
        case failed(Failure)
    }

    /// What a socket's handler is told.
    enum Failure: Error {
        case tls(TLSError)
        case system(SystemError)
    }

    private(set) var condition = Condition.handshaking
    /// Whether reading has to wait until what is unsent is gone.
    var isBlocked = false
    /// Whether writing has to wait for bytes of the peer.
    var sendWaitsForReading = false
    /// Whether FIN is to follow what is unsent.
    var isFinishing = false
    /// Whether the last read took all there was.
    private(set) var isDrained = false
    /// Whether the handshake was completed.
    private(set) var isSecured = false

    /// The flaw for which the peer's certificate was refused.
    fileprivate(set) var flaw: TLSError?

    let context: TLSContext
    /// The host that the peer has to be; nil on a server's side.
    let peerName: String?
    private let ssl: OpaquePointer
    let wire: TLSWire
    private var hasFinished = false

    /// - Parameter peerName: the host that the peer has to be; nil on a server's side.
    init(_ context: TLSContext, descriptor: Int32, peerName: TLSPeerName?) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw Self.unavailable() }
        unsafe self.ssl = ssl
        wire = TLSWire(descriptor: descriptor)
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
        TLSError(.configuration, "no TLS connection can be made: \(OpenSSLErrors.take().text)")
    }

    var isHandshaking: Bool {
        if case .handshaking = condition { true } else { false }
    }

    var isOpen: Bool {
        if case .open = condition { true } else { false }
    }

    /// Whether a record can be written at once.
    var isWritable: Bool {
        switch condition {
        case .open, .ended: wire.unsent.isEmpty && !sendWaitsForReading
        case .handshaking, .failed: false
        }
    }

    /// Whether there is something to tell although the socket may not be readable: bytes or an end.
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

    /// Takes the handshake as far as it goes.
    func shakeHands() {
        guard isHandshaking else { return }
        OpenSSLErrors.clear()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 {
            // Nothing of what is to be protected has been sent yet.
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

    /// Reads as much as there is and fits.
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
                // Asking the socket once more would cost a system call and be in vain.
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
    /// - Returns: how many bytes are on their way; 0 if the peer has to send something first.
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
            // Reading goes on after an error of the system: the peer may still have something to say.
            if wire.sendError == 0 { _ = settle(code) }
            try requireWriting()
        }
        return 0
    }

    /// Throws if nothing can be written any more.
    func requireWriting() throws(SystemError) {
        if wire.sendError != 0 { throw SystemError(code: wire.sendError, call: "send") }
        if case .failed = condition { throw SystemError(code: EPIPE, call: "send") }
        if hasFinished { throw SystemError(code: EPIPE, call: "send") }
    }

    /// Says that no more will come: the closure alert, once.
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

    /// Says that this side closes the connection, and gives what the socket has yet to send.
    func farewell() -> [UInt8] {
        finish()
        return isHandshaking || wire.sendError != 0 ? [] : wire.takeUnsent()
    }

    /// Takes in why a call could not be completed; true if more bytes have to come first.
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

/// The verification's callback: called for each certificate of the chain that is fine and for each that is not.
func certificateWasLookedAt(_ isFine: Int32, _ store: OpaquePointer?) -> Int32 {
    if isFine == 1 { return 1 }
    let ssl = unsafe OpaquePointer(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()))
    if let store = unsafe store, let stream = unsafe target(SSL_get_ex_data(ssl, 0), as: TLSStream.self) {
        unsafe stream.refuse(store)
    }
    return 0
}
