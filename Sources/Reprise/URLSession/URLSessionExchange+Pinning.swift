// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    internal import Foundation
    private import RepriseHashing
    private import Security

    extension URLSessionExchange {
        /// Looks at a server's certificates, where there are pins: first as the system does, the host's name included, and
        /// then for one that fits.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let space = challenge.protectionSpace
            guard let pinning, space.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            guard let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
                // The system says what is wrong with it.
                return completionHandler(.performDefaultHandling, nil)
            }
            let chain = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []).compactMap { certificate in
                CertificateDER(Array(SecCertificateCopyData(certificate) as Data))
            }
            guard !pinning.fits(chain) else { return completionHandler(.useCredential, URLCredential(trust: trust)) }
            abort(TransportError(pinning: pinning, of: space.host, found: chain))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    extension TransportError {
        fileprivate init(pinning: Pinning, of host: String, found: [CertificateDER]) {
            let keys = found.map { Pin(.publicKey, sha256: SHA256.digest(of: $0.publicKeyInfo)).description }
            self.init(
                .pinning,
                pinning.pins.isEmpty
                    ? "\(host) cannot fit a pin: there are none, and so no server is good enough"
                    : "none of the \(pinning.pins.count) pins fits \(host), whose keys are \(keys.joined(separator: ", "))"
            )
        }
    }
#endif
