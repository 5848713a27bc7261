// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    internal import Foundation
    private import RepriseHashing
    private import Security

    extension URLSessionExchange {
        /// Checks a server's certificates against the pins. It first performs the system's validation, including the
        /// host name, and then looks for a certificate that matches a pin.
        ///
        /// If the validation fails, the connection is canceled rather than left to the system. The system's own
        /// validation could succeed where this one failed, for example because the network is back, and the request
        /// would be sent without a check of the pins.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let space = challenge.protectionSpace
            guard let servers, space.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            guard let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
                abort(TransportError(untrusted: space.host))
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            let chain = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []).compactMap { certificate in
                CertificateDER(Array(SecCertificateCopyData(certificate) as Data))
            }
            guard servers.pinning.fits(chain) else {
                abort(TransportError(pinning: servers.pinning, of: space.host, found: chain))
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            servers.add(serverOf: request)
            completionHandler(.useCredential, URLCredential(trust: trust))
        }
    }

    extension TransportError {
        fileprivate init(untrusted host: String) {
            self.init(.tls, "this system does not trust the certificate of \(host), or it is for another host")
        }

        fileprivate init(pinning: Pinning, of host: String, found: [CertificateDER]) {
            let hashes = found.map { Pin(.publicKey, sha256: SHA256.digest(of: $0.publicKeyInfo)).description }
            let keys = hashes.joined(separator: ", ")
            self.init(
                .pinning,
                pinning.pins.isEmpty
                    ? "\(host) cannot match a pin, because there are none; add a pin, or set the pinning to nil"
                    : "none of the \(pinning.pins.count) pins matches \(host), whose keys are \(keys)"
            )
        }
    }
#endif
