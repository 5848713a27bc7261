// SPDX-License-Identifier: Apache-2.0

/// A protocol other than HTTP/1.1 that a server uses, according to the first bytes it sends.
enum ForeignProtocol: Sendable {
    case http2
    case tls
    /// More bytes are needed to decide.
    case undecided

    /// Returns nil if the bytes are those of no known protocol.
    init?(startOf input: Span<UInt8>) {
        switch input[0] {
        case 0:
            // A frame of HTTP/2 (RFC 9113 section 4.1) without a stream: SETTINGS, or GOAWAY. Its length fits in 14
            // bits.
            guard input.count >= 9 else {
                self = .undecided
                return
            }
            let isFrame = input[1] < 0x40 && (input[3] == 4 || input[3] == 7)
            guard isFrame, input[5] | input[6] | input[7] | input[8] == 0 else { return nil }
            self = .http2
        case 0x15, 0x16:
            // An alert or a handshake of TLS (RFC 8446 section 5.1).
            guard input.count >= 2 else {
                self = .undecided
                return
            }
            guard input[1] == 3 else { return nil }
            self = .tls
        default: return nil
        }
    }

    /// The kind of error; nil if more bytes are needed.
    var errorKind: ParsingError.Kind? {
        switch self {
        case .http2: .foundHTTP2
        case .tls: .foundTLS
        case .undecided: nil
        }
    }
}
