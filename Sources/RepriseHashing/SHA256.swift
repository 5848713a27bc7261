// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
    private import CryptoKit
#else
    private import CRepriseOpenSSL
#endif

/// SHA-256 (FIPS 180-4), computed by the platform's library: CryptoKit on Apple platforms, OpenSSL elsewhere.
///
/// ```swift
/// var hash = SHA256()
/// hash.append(block.span)
/// let name = hash.hexadecimal
/// ```
package struct SHA256: Sendable {
    private var state: State

    /// Creates a hash with no input.
    package init() {
        state = State()
    }

    /// Appends bytes to the input.
    package mutating func append(_ bytes: Span<UInt8>) {
        if !isKnownUniquelyReferenced(&state) { state = state.copy() }
        state.append(bytes)
    }

    /// The 32 bytes of the hash of all input so far.
    package var digest: [UInt8] { state.copy().finish() }

    /// The hash of all input so far, in lowercase hexadecimal.
    package var hexadecimal: String { Self.hexadecimal(digest) }

    /// Returns the 32 bytes of the hash of `bytes`.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        let slice = bytes[...]
        let state = State()
        state.append(slice.span)
        return state.finish()
    }

    /// Returns the hash of `bytes` in lowercase hexadecimal.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        hexadecimal(digest(of: bytes))
    }

    /// Returns bytes in lowercase hexadecimal.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

#if canImport(CryptoKit)
    /// Sendable because ``SHA256`` changes it only while it holds the only reference to it.
    private final class State: @unchecked Sendable {
        private var hash = CryptoKit.SHA256()

        func append(_ bytes: Span<UInt8>) {
            unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        }

        func copy() -> State {
            let copy = State()
            copy.hash = hash
            return copy
        }

        func finish() -> [UInt8] { Array(hash.finalize()) }
    }
#else
    /// Sendable because ``SHA256`` changes it only while it holds the only reference to it.
    @safe
    private final class State: @unchecked Sendable {
        private let context: OpaquePointer

        /// Initializes OpenSSL once for the process, before any other call to it. OpenSSL then does not free its state
        /// at `exit`, when a thread may still be reading files.
        private static let library: Void = {
            _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        }()

        /// OpenSSL fails here only if no memory is left, which ends a Swift program anyway.
        init() {
            Self.library
            guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
            else {
                fatalError("OpenSSL has no memory for a hash")
            }
            unsafe self.context = context
        }

        deinit {
            unsafe EVP_MD_CTX_free(context)
        }

        func append(_ bytes: Span<UInt8>) {
            _ = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        }

        func copy() -> State {
            let copy = State()
            guard unsafe EVP_MD_CTX_copy_ex(copy.context, context) == 1 else {
                fatalError("OpenSSL has no memory for a hash")
            }
            return copy
        }

        func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: 32)
            unsafe EVP_DigestFinal_ex(context, &digest, nil)
            return digest
        }
    }
#endif
