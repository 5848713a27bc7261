// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import RepriseIO
    import Foundation
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    /// Pinning with real TLS servers, whose certificates are generated here.
    @Suite struct PinningTests {
        private let root: CertificateAuthority
        private let intermediate: CertificateAuthority
        private let identity: TLSIdentity

        init() throws {
            root = try CertificateAuthority(name: "Root")
            intermediate = try CertificateAuthority(name: "Intermediate", parent: root)
            identity = try intermediate.identity(for: ["127.0.0.1"])
        }

        /// The server's own certificate, without its chain.
        private var leaf: [UInt8] { Self.certificates(identity.certificateChain)[0] }

        private static func certificates(_ pem: [UInt8]) -> [[UInt8]] {
            let end = "-----END CERTIFICATE-----\n"
            return String(decoding: pem, as: UTF8.self).components(separatedBy: end).dropLast().map {
                Array(($0 + end).utf8)
            }
        }

        private static func der(_ pem: [UInt8]) throws -> [UInt8] {
            let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-----") }
            return Array(try #require(Data(base64Encoded: lines.joined())))
        }

        /// The error of a request to a server with this identity; nil if the request succeeds.
        private func error(
            _ pinning: Pinning?,
            identity: TLSIdentity? = nil,
            trust: Trust? = nil
        ) async throws -> TransportError? {
            let context = try TLSContext(server: TLSServerConfiguration(identity ?? self.identity))
            let server = try await ScriptedServer.start(tls: context) { connection in
                _ = try await connection.readRequest()
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let transport = SocketTransport(
                .init(
                    trust: trust ?? .certificates(root.certificate),
                    proxies: .none,
                    connectTimeout: .seconds(180),
                    pinning: pinning
                )
            )
            do throws(TransportError) {
                let options = RequestOptions(timeout: .seconds(180))
                _ = try await transport.send(server.request(scheme: "https"), body: nil, options: options)
                return nil
            } catch {
                return error
            }
        }

        private func expectMismatch(_ error: TransportError?) {
            #expect(error?.code == .pinning, "\(error as Any)")
            #expect(error?.isConnectivity == false)
        }

        // MARK: Matches

        @Test func acceptsPinMatchingAnyCertificateInChain() async throws {
            for certificate in [leaf, intermediate.certificate, root.certificate] {
                #expect(try await error(Pinning(Pin.publicKeys(of: certificate))) == nil)
                #expect(try await error(Pinning(Pin.certificates(certificate))) == nil)
            }
        }

        @Test func parsesCertificatesInDERAndPEM() async throws {
            #expect(try await error(Pinning(Pin.certificates(Self.der(leaf)))) == nil)
            #expect(try Pin.certificates(Self.der(leaf)) == Pin.certificates(leaf))
            #expect(try Pin.publicKeys(of: identity.certificateChain).count == 2)
        }

        @Test func acceptsBase64HashWithAndWithoutPrefix() async throws {
            let pin = try #require(try Pin.publicKeys(of: leaf).first)
            #expect(try await error(.pin(.publicKey(sha256: pin.description))) == nil)
            #expect(try await error(.pin(.publicKey(sha256: String(pin.description.dropFirst(7))))) == nil)
        }

        @Test func computesSameHashAsOpenSSL() throws {
            // openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
            #expect(try Pin.publicKeys(of: Array(Self.example.utf8)).map(\.description) == [Self.exampleHash])
        }

        @Test func acceptsNewCertificateFromPinnedAuthority() async throws {
            let pinning = try Pinning(Pin.publicKeys(of: intermediate.certificate))
            #expect(try await error(pinning, identity: intermediate.identity(for: ["127.0.0.1"])) == nil)
        }

        // MARK: Mismatches

        @Test func rejectsServerWithoutMatchingPin() async throws {
            let other = try CertificateAuthority().certificate
            for pins in [try Pin.publicKeys(of: other), try Pin.certificates(other)] {
                let found = try await error(Pinning(pins))
                expectMismatch(found)
                let hash = try #require(try Pin.publicKeys(of: leaf).first).description
                #expect(found?.message.contains(hash) == true, "\(found as Any)")
            }
        }

        @Test func rejectsEveryServerWithoutPins() async throws {
            let found = try await error(Pinning([]))
            expectMismatch(found)
            #expect(found?.message.contains("there are none") == true)
        }

        @Test func keyAndCertificatePinsAreNotInterchangeable() async throws {
            let (key, certificate) = (try Pin.publicKeys(of: leaf)[0], try Pin.certificates(leaf)[0])
            expectMismatch(try await error(.pin(Pin(.certificate, sha256: key.sha256))))
            expectMismatch(try await error(.pin(Pin(.publicKey, sha256: certificate.sha256))))
        }

        @Test func pinDoesNotReplaceTrust() async throws {
            let pinning = try Pinning(Pin.publicKeys(of: leaf))
            let otherTrust = Trust.certificates(try CertificateAuthority().certificate)
            #expect(try await error(pinning, trust: otherTrust)?.code == .tls)
        }

        @Test func pinDoesNotReplaceHostnameCheck() async throws {
            let identity = try intermediate.identity(for: ["localhost"])
            let pinning = try Pinning(Pin.publicKeys(of: root.certificate))
            #expect(try await error(pinning, identity: identity)?.code == .tls)
        }

        @Test func trustInAnyCertificateMatchesPinsWithLeafOnly() async throws {
            #expect(try await error(Pinning(Pin.publicKeys(of: leaf)), trust: .anyCertificate) == nil)
            // Any server can send along the certificate of an authority that didn't issue its own.
            expectMismatch(
                try await error(Pinning(Pin.publicKeys(of: intermediate.certificate)), trust: .anyCertificate)
            )
        }

        // MARK: Configuration and parsing

        /// `URLSessionTransport` uses this check on Apple platforms, where the system builds the chain.
        @Test func matchesChainWithOnePinnedCertificate() throws {
            let chain = try CertificateText.certificates(in: identity.certificateChain)
            #expect(try Pinning(Pin.publicKeys(of: intermediate.certificate)).fits(chain))
            #expect(try Pinning(Pin.certificates(leaf)).fits(chain))
            #expect(try !Pinning(Pin.publicKeys(of: root.certificate)).fits(chain))
            #expect(!Pinning([]).fits(chain))
        }

        @Test func pinMismatchIsTLSErrorOfCall() async throws {
            let context = try TLSContext(server: TLSServerConfiguration(identity))
            let server = try await ScriptedServer.start(tls: context) { try await $0.waitForEnd() }
            let transport = SocketTransport(
                .init(
                    trust: .certificates(root.certificate),
                    proxies: .none,
                    connectTimeout: .seconds(180),
                    pinning: Pinning([])
                )
            )
            let call = Client("https://127.0.0.1:\(server.port)", transport: transport).get("/").timeout(.seconds(180))
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .tls)
            #expect(error?.isConnectivity == false)
            #expect((error?.underlying as? TransportError)?.code == .pinning)
        }

        @Test func canBeDisabledOnlyInDebugBuilds() async throws {
            let pinning = Pinning([], isDisabledInDebugBuilds: true)
            #expect(!pinning.isInForce(inDebugBuild: true))
            #expect(pinning.isInForce(inDebugBuild: false))
            #expect(Pinning([]).isInForce(inDebugBuild: true))
            #if DEBUG
                #expect(try await error(pinning) == nil)
            #else
                expectMismatch(try await error(pinning))
            #endif
        }

        @Test(arguments: ["", "sha256/", "AAAA", "not base64", String(repeating: "A", count: 43)])
        func rejectsInvalidHash(text: String) {
            let error = #expect(throws: ClientError.self) { try Pin.publicKey(sha256: text) }
            #expect(error?.code == .invalidParameters)
        }

        @Test func rejectsInvalidCertificate() throws {
            let der = try Self.der(leaf)
            let texts = ["", "nothing", "-----BEGIN CERTIFICATE-----\nx\n", "-----BEGIN CERTIFICATE-----"]
            var broken = texts.map { Array($0.utf8) } + [identity.privateKey]
            broken += (0..<der.count).map { Array(der[..<$0]) }
            for bytes in broken {
                #expect(throws: ClientError.self) { try Pin.publicKeys(of: bytes) }
            }
        }

        @Test func survivesCorruptedCertificates() throws {
            var generator = SeededGenerator(seed: 7)
            let der = try Self.der(leaf)
            for _ in 1...2000 {
                var bytes = der
                for _ in 1...3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                _ = try? Pin.publicKeys(of: bytes)
            }
        }

        private static let exampleHash = "sha256/PuF/DZnyPg1J64sTw5iExksQdRr2UvQ3c65oj/ee7GU="
        private static let example = """
            -----BEGIN CERTIFICATE-----
            MIIBgDCCASegAwIBAgIUH+wI/Rs9OzWSe5P1YqM4Zpvcn7cwCgYIKoZIzj0EAwIw
            FjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wHhcNMjYxMTIxMjIzMTIwWhcNMjYxMTIy
            MjIzMTIwWjAWMRQwEgYDVQQDDAtleGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqG
            SM49AwEHA0IABDqLV9Kfaan+fYq5aMDK6ND09qfzmns24ggzqDSYqZer5odzYMIH
            X/VqlLg+B7yfocfRpSrWObQyFxUa6ChUqZyjUzBRMB0GA1UdDgQWBBTyFlgpH2WY
            0CPO4dHk9vDBCiR82DAfBgNVHSMEGDAWgBTyFlgpH2WY0CPO4dHk9vDBCiR82DAP
            BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIBGVl5dX0ta36EWW7qvx
            /iooIS1lW2Y1LizKR9TEA7aeAiAdwyY03b56eb/7R4xPuU6IDAoa6xLpXCu0Vs7X
            8AuWJQ==
            -----END CERTIFICATE-----
            """
    }
#endif
