// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

extension TLSContext {
    /// Initializes OpenSSL once for the process. If another library, such as libcurl, initializes it first, OpenSSL
    /// frees its state at `exit` while other threads may still use it. A process that uses such libraries calls this
    /// first.
    public static func prepareProcess() {
        OpenSSL.start
    }
}

enum OpenSSL {
    /// Initializes OpenSSL once for the process, before any other call to it. OpenSSL then does not free its state at
    /// `exit`, when a loop's thread may still be processing a record.
    static let start: Void = {
        _ = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()
}
