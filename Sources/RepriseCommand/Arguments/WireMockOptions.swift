// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of WireMock on a command line, so that its command lines work here, or say what to write instead.
enum WireMockOptions {
    /// Flags that both have. WireMock's can have a value, as in `--verbose=true`.
    private static let shared: Set = [
        "enable-stub-cors", "global-response-templating", "local-response-templating", "verbose",
    ]

    /// Flags without a counterpart that do no harm if they are left out.
    private static let ignoredFlags: Set = [
        "disable-banner", "disable-connection-reuse", "disable-extensions-scanning", "disable-gzip",
        "disable-http2-plain", "disable-http2-tls", "disable-optimize-xml-factories-loading", "disable-request-logging",
        "disable-strict-http-headers", "no-request-journal", "print-all-network-traffic", "timeout",
    ]

    /// Options with a value that do no harm if they are left out.
    private static let ignoredOptions: Set = [
        "async-response-enabled", "async-response-threads", "container-threads", "extensions", "filename-template",
        "jetty-accept-queue-size", "jetty-acceptor-threads", "jetty-header-buffer-size", "jetty-header-request-size",
        "jetty-header-response-size", "jetty-idle-timeout", "jetty-stop-timeout", "logged-response-body-size-limit",
        "max-http-client-connections", "max-request-journal-entries", "max-template-cache-entries",
        "proxy-pass-through",
        "proxy-timeout", "supported-proxy-encodings", "use-chunked-encoding", "webhook-threadpool-size",
    ]

    /// What to write instead.
    private static let replacements = [
        "admin-api-basic-auth": "--admin-token", "admin-api-require-https": "--tls", "bind-address": "--host",
        "ca-keystore": "--tls-folder", "ca-keystore-password": "--tls-folder", "ca-keystore-type": "--tls-folder",
        "disable-http": "--tls", "enable-browser-proxying": "--unmatched-to", "https-keystore": "--cert and --key",
        "https-port": "--tls and --port", "key-manager-password": "--cert and --key",
        "keystore-password": "--cert and --key", "keystore-type": "--cert and --key",
        "load-resources-from-classpath": "--root-dir", "match-headers": "--match-header",
        "preserve-host-header": "\"Host\" in \"additionalProxyRequestHeaders\" of the stubs",
        "proxy-all": "--unmatched-to", "record-mappings": "mockserver record", "trust-all-proxy-targets": "--insecure",
        "trust-proxy-target": "--insecure",
    ]

    /// What the others would do, which a server must not leave out without a word.
    private static let missing = [
        "allow-proxy-targets": "stubs forward to every address that is not link-local",
        "deny-proxy-targets": "stubs forward to every address that is not link-local",
        "disable-response-templating": "a stub that asks for \"response-template\" gets it",
        "https-require-client-cert": "certificates of clients are not checked",
        "https-truststore": "certificates of clients are not checked",
        "proxy-via": "requests are forwarded without another proxy",
        "truststore-password": "certificates of clients are not checked",
        "truststore-type": "certificates of clients are not checked",
    ]

    /// Returns the arguments without the WireMock options that can be ignored.
    ///
    /// - Throws: `ValidationError` if an option has a different name here, or has no counterpart.
    static func translated(_ arguments: some Sequence<String>) throws -> [String] {
        var translated: [String] = []
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return translated + [argument] + rest }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let name = argument.hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
            let value = parts.count > 1 ? parts[1] : nil
            if let replacement = replacements[name] {
                throw ValidationError("--\(name) is a WireMock option; use \(replacement) instead")
            }
            if let fact = missing[name] {
                throw ValidationError("--\(name) is a WireMock option without an equivalent: \(fact); remove it")
            }
            if ignoredFlags.contains(name) || shared.contains(name) && value == "false" { continue }
            if ignoredOptions.contains(name) {
                if value == nil, rest.first?.hasPrefix("--") == false { rest.removeFirst() }
                continue
            }
            translated.append(shared.contains(name) && value == "true" ? "--\(name)" : argument)
        }
        return translated
    }
}
