// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseStorage

/// The options that `serve --unmatched-to` and `record` share, for how requests are forwarded and recorded.
struct UpstreamArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("For an https upstream, also trust the certificates in this PEM file.", valueName: "file")
    )
    var upstreamCa: String?

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
        return upstream
    }

    /// How requests through the proxy are sent to their hosts.
    func origins(recorder: CassetteRecorder?) throws -> MockServer.ForwardProxy.Origins {
        MockServer.ForwardProxy.Origins(
            recorder: recorder,
            keepsEncoding: try keepEncoding || EnvironmentVariable(of: "--keep-encoding").isSet(),
            trust: try trust()
        )
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
            "--allow-unscanned": allowUnscanned,
        ]
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
    static func read(_ path: String, from place: String) throws -> [UInt8] {
        do { return try StorageFile.content(of: path) } catch {
            throw Report.failure("\(place): \(error)")
        }
    }
}
