// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseConnections
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options of `serve`, `record`, and `run` for how requests are forwarded and recorded.
struct UpstreamArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("For an https upstream, also trust the certificates in this PEM file.", valueName: "file")
    )
    var upstreamCa: String?

    @Option(
        help: ArgumentHelp(
            "The PEM file with the client certificate to present if the upstream asks for one.",
            valueName: "file"
        )
    )
    var upstreamCert: String?

    @Option(
        help: ArgumentHelp(
            "The PEM file with the key of --upstream-cert. (default: the same file)",
            valueName: "file"
        )
    )
    var upstreamKey: String?

    @Option(
        help: ArgumentHelp(
            """
            The proxy to reach the upstream through. (default: https_proxy or http_proxy, except for the hosts in \
            no_proxy and loopback addresses)
            """,
            valueName: "url"
        )
    )
    var upstreamProxy: String?

    @Flag(help: "Don't verify the certificate of an https upstream.")
    var insecure = false

    @Flag(help: "Forward the clients' Accept-Encoding. By default, the server requests unencoded content.")
    var keepEncoding = false

    @Flag(help: "Also record bodies that cannot be scanned for secrets because of their coding.")
    var allowUnscanned = false

    /// - Parameter place: The option that the URL comes from.
    func upstream(_ url: String, from place: String) throws -> MockServer.Upstream {
        var upstream: MockServer.Upstream
        do {
            upstream = try MockServer.Upstream(url)
        } catch {
            throw ValidationError("\(place): \(error)")
        }
        upstream.keepsEncoding = try keepEncoding || EnvironmentVariable(of: "--keep-encoding").isSet()
        upstream.trust = try trust()
        upstream.identity = try identity()
        upstream.proxies = try proxies()
        return upstream
    }

    /// How requests through the proxy are sent to their hosts.
    func origins(
        recorder: CassetteRecorder?,
        of proxy: MockServer.ForwardProxy? = nil
    ) throws -> MockServer.ForwardProxy.Origins {
        var origins = MockServer.ForwardProxy.Origins(
            recorder: recorder,
            keepsEncoding: try keepEncoding || EnvironmentVariable(of: "--keep-encoding").isSet(),
            trust: try trust()
        )
        origins.identity = try identity()
        // Without --only-host, any host could ask for the certificate.
        if origins.identity != nil, recorder != nil, proxy?.only.isEmpty == true {
            throw ValidationError(
                """
                --upstream-cert: expected --only-host with --proxy, so that only these hosts see the certificate, \
                found none; add --only-host api.example.com
                """
            )
        }
        origins.proxies = try proxies()
        return origins
    }

    func recorder(
        _ path: String,
        mode: RecordingMode,
        only: RequestSelection? = nil,
        replacesLeftovers: Bool = false,
        from place: String
    ) throws -> CassetteRecorder {
        guard path.hasSuffix(".cassette.json") else {
            throw ValidationError("\(place): expected a file whose name ends in .cassette.json, found '\(path)'")
        }
        var configuration = CassetteRecorder.Configuration(mode: mode, only: only)
        configuration.allowsUnscanned = try allowUnscanned || EnvironmentVariable(of: "--allow-unscanned").isSet()
        configuration.replacesLeftovers = replacesLeftovers
        configuration.reportLoss = { Report.messageWhileServing("error: \($0)") }
        do {
            return try CassetteRecorder(path, configuration: configuration)
        } catch {
            throw Report.failure("\(error)")
        }
    }

    /// The names of these options, and whether the command line has them.
    var given: KeyValuePairs<String, Bool> {
        [
            "--upstream-ca": upstreamCa != nil, "--insecure": insecure, "--keep-encoding": keepEncoding,
            "--allow-unscanned": allowUnscanned, "--upstream-cert": upstreamCert != nil,
            "--upstream-key": upstreamKey != nil, "--upstream-proxy": upstreamProxy != nil,
        ]
    }

    private func identity() throws -> TLSIdentity? {
        let key = upstreamKey ?? EnvironmentVariable(of: "--upstream-key").text()
        guard let certificate = upstreamCert ?? EnvironmentVariable(of: "--upstream-cert").text() else {
            if key == nil { return nil }
            throw ValidationError("--upstream-key: expected --upstream-cert, found none; add --upstream-cert cert.pem")
        }
        return TLSIdentity(
            certificateChain: try CertificateFile.read(certificate, from: "--upstream-cert"),
            privateKey: try CertificateFile.read(key ?? certificate, from: "--upstream-key", isKey: true)
        )
    }

    private func proxies() throws -> Proxies {
        let variable = EnvironmentVariable(of: "--upstream-proxy")
        guard let url = upstreamProxy ?? variable.text() else {
            let loopback = ["localhost", "127.0.0.0/8", "::1"]
            return Proxies(environment: ProcessInfo.processInfo.environment, exceptions: loopback)
        }
        do throws(Proxy.Malformed) {
            let proxy = try Proxy(url: url)
            return Proxies(http: proxy, https: proxy)
        } catch {
            throw ValidationError("\(upstreamProxy == nil ? variable.name : "--upstream-proxy"): \(error)")
        }
    }

    private func trust() throws -> Trust {
        if insecure { try Contradiction.refuse("--insecure", with: ["--upstream-ca": upstreamCa != nil]) }
        if try insecure || EnvironmentVariable(of: "--insecure").isSet() {
            Report.message(
                """
                warning: --insecure disables certificate verification, so others on the network can read and change \
                traffic; use --upstream-ca FILE to trust a private authority
                """
            )
            return .anyCertificate
        }
        guard let path = upstreamCa ?? EnvironmentVariable(of: "--upstream-ca").text() else { return .system }
        return .system(adding: try CertificateFile.read(path, from: "--upstream-ca"))
    }
}

/// Reads the certificate file that an option names.
enum CertificateFile {
    static func read(_ path: String, from place: String, isKey: Bool = false) throws -> [UInt8] {
        do { return isKey ? try KeyFile(path).content : try StorageFile.content(of: path) } catch {
            throw Report.failure("\(place): \(error)")
        }
    }
}
