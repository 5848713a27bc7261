// SPDX-License-Identifier: Apache-2.0

private import COpenSSL

enum OpenSSL {
    /// Once for the process, before anything else is asked of the library: it does not tear itself down at `exit`,
    /// when a loop's thread may still be in the middle of a record.
    static let start: Void = {
        _ = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()
}
