// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseConnections
import RepriseIO
import RepriseServer

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check whether a mock server answers, for a container's health check.",
        discussion: "Exits with 1 if it does not answer within two seconds."
    )

    @Option(help: "The server's port. (default: 8080)")
    var port: String?

    @Option(help: "The server's address. (default: 127.0.0.1)")
    var host: String?

    @Flag(help: "Use https. Without --tls-ca, the server's certificate is not verified.")
    var tls = false

    @Option(
        help: ArgumentHelp("Use https, and trust only the certificates in this PEM file.", valueName: "file")
    )
    var tlsCa: String?

    func run() async throws {
        let port = try OptionKind.port.value(port, "--port") ?? 8080
        let host = AdminHost.reachable(host ?? EnvironmentVariable(of: "--host").text() ?? "127.0.0.1")
        do {
            Report.line("healthy: \(try await check(host: host, port: port, tls: settings()))")
        } catch {
            throw Report.failure("unhealthy: \(error)")
        }
    }

    /// Returns the status line of the answer to `OPTIONS *`, which concerns the server and no fixture (RFC 9110 section
    /// 9.3.7).
    private func check(host: String, port: Int, tls: TLSClientConfiguration?) async throws -> String {
        guard let number = UInt16(exactly: port) else { throw ValidationError("expected a port, found \(port)") }
        let origin = Origin(isSecure: tls != nil, host: host, port: number)
        var request = OutgoingRequest("OPTIONS", "*", at: origin)
        request.authority = "localhost"
        let answer = try await ServerCall.send(request, tls: tls ?? TLSClientConfiguration(), limit: .seconds(2))
        // The request is valid, so this is the answer to plain HTTP on a port that serves HTTPS.
        if tls == nil, answer.status == 400 { throw Unhealthy(statusLine: answer.statusLine) }
        return answer.statusLine
    }

    private struct Unhealthy: Error, CustomStringConvertible {
        let statusLine: String

        var description: String { "expected a server without TLS, found '\(statusLine)'; pass --tls" }
    }

    /// The TLS settings; nil for a server that uses plain HTTP. The environment variables are those of the server, so a
    /// container sets them only once.
    private func settings() throws -> TLSClientConfiguration? {
        var configuration = TLSClientConfiguration()
        if let path = tlsCa ?? EnvironmentVariable(of: "--tls-ca").text() {
            configuration.trust = .certificates(try CertificateFile.read(path, from: "--tls-ca"))
        } else {
            let others = ["--cert", "--tls-folder"].contains { EnvironmentVariable(of: $0).text() != nil }
            guard try tls || others || EnvironmentVariable(of: "--tls").isSet() else { return nil }
            configuration.trust = .anyCertificate
        }
        return configuration
    }
}
