// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

extension TLSContext {
    /// Makes OpenSSL ready, once for the process. Made ready by others first, libcurl for one, it tears itself down at
    /// `exit` under the threads that still use it; so who will use those too calls this before.
    public static func prepareProcess() {
        OpenSSL.start
    }
}

enum OpenSSL {
    /// Once for the process, before anything else is asked of the library: it does not tear itself down at `exit`,
    /// when a loop's thread may still be in the middle of a record.
    static let start: Void = {
        _ = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()
}
