// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// Reading and writing PEM through OpenSSL's in-memory `BIO`.
enum PEMText {
    /// Runs `body` with a `BIO` that reads `bytes`.
    static func read<Result>(_ bytes: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { buffer in
            // OpenSSL rejects a null pointer even for zero bytes, and an empty array may have no base address.
            let start = unsafe buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            let text = unsafe BIO_new_mem_buf(start, Int32(clamping: buffer.count))
            defer { unsafe BIO_free(text) }
            return unsafe body(text)
        }
    }

    /// Returns the bytes that `body` writes, or an empty array unless `body` returns 1.
    static func write(_ body: (OpaquePointer?) -> Int32) -> [UInt8] {
        guard let text = unsafe BIO_new(BIO_s_mem()) else { return [] }
        defer { unsafe BIO_free(text) }
        guard unsafe body(text) == 1 else { return [] }
        var bytes = unsafe [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(text)))
        let count = unsafe BIO_read(text, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(max(count, 0))))
    }

}

/// A password callback that supplies no password. Without one, OpenSSL asks on the terminal.
func passwordIsUnknown(
    _: UnsafeMutablePointer<CChar>?,
    _: Int32,
    _: Int32,
    _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
