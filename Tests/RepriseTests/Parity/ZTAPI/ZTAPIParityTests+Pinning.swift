// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import RepriseIO
    import Foundation
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    extension ZTAPIParityTests {
        /// Pinning with TLS servers, whose certificates are generated here.
        @Suite struct Pins {
            private let authority: CertificateAuthority
            private let identity: TLSIdentity

            init() throws {
                authority = try CertificateAuthority(name: "Root")
                identity = try authority.identity(for: ["127.0.0.1"])
            }

            /// The error of a call to the server; nil if the call succeeds.
            private func error(_ pinning: Pinning?) async throws -> ClientError? {
                let context = try TLSContext(server: TLSServerConfiguration(identity))
                let server = try await ScriptedServer.start(tls: context) { connection in
                    _ = try await connection.readRequest()
                    try await connection.send(Site.response("200 OK", "", "moss"))
                }
                defer { withExtendedLifetime(server) {} }
                let transport = SocketTransport(
                    .init(
                        trust: .certificates(authority.certificate),
                        proxies: .none,
                        connectTimeout: .seconds(180),
                        pinning: pinning
                    )
                )
                let api = Client("https://127.0.0.1:\(server.port)", transport: transport)
                do {
                    try await api.get("/").timeout(.seconds(180)).send()
                    return nil
                } catch let error as ClientError {
                    return error
                }
            }

            private func expectRefusal(_ error: ClientError?) {
                #expect(error?.code == .tls)
                #expect((error?.underlying as? TransportError)?.code == .pinning)
                #expect(error?.isConnectivity == false)
            }

            @Test func pinsCertificates() async throws {
                #expect(try await error(Pinning(Pin.certificates(identity.certificateChain))) == nil)
                expectRefusal(try await error(Pinning(Pin.certificates(CertificateAuthority().certificate))))
            }

            @Test func pinsPublicKeysOfCertificates() async throws {
                let pins = try Pin.publicKeys(of: identity.certificateChain)
                #expect(try await error(Pinning(pins)) == nil)
                #expect(try await error(.pin(.publicKey(sha256: pins[0].description))) == nil)
                expectRefusal(try await error(Pinning(Pin.publicKeys(of: CertificateAuthority().certificate))))
            }

            /// Without pins, every server is rejected, unless pinning is disabled in a debug build.
            @Test func canBeDisabledOnlyForDevelopment() async throws {
                expectRefusal(try await error(Pinning([])))
                let lenient = Pinning([], isDisabledInDebugBuilds: true)
                #if DEBUG
                    #expect(try await error(lenient) == nil)
                #else
                    expectRefusal(try await error(lenient))
                #endif
            }

            /// The output of `openssl s_client -showcerts` contains other text besides certificates.
            @Test func parsesCertificatesInOpenSSLOutput() async throws {
                let text = """
                    CONNECTED(00000003)
                    Certificate chain
                     0 s:CN = 127.0.0.1
                    \(String(decoding: identity.certificateChain, as: UTF8.self))
                    ---
                    Server certificate
                    """
                let pins = try Pin.publicKeys(of: Array(text.utf8))
                #expect(try pins == Pin.publicKeys(of: identity.certificateChain))
                #expect(try await error(Pinning(pins)) == nil)
            }
        }
    }
#endif
