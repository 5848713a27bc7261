// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import RepriseIO

/// The environment variables that make unchanged programs use a proxy and trust its authority, and the files that they
/// name.
///
/// ```swift
/// let clients = try ClientEnvironment(proxy: "http://127.0.0.1:8080", folder: folder, existing: environment)
/// try clients.write(authority: authority.certificate)
/// environment.merge(clients.variables) { $1 }
/// ```
struct ClientEnvironment {
    let variables: [String: String]
    /// Notes for the user about changes that may be unexpected.
    let notes: [String]
    let folder: String
    private let proxy: String
    private let existing: [String: String]

    /// - Parameters:
    ///   - proxy: The proxy's URL. Java gets neither a user nor a password from it.
    ///   - folder: The absolute path of the folder for the files.
    ///   - existing: The environment of the programs, which the variables replace or extend.
    init(proxy: String, folder: String, existing: [String: String]) throws(Proxy.Malformed) {
        let origin = try Proxy(url: proxy).origin
        var existing = existing.filter { !$0.value.isEmpty }
        var variables: [String: String] = [:]
        for name in Self.bundleVariables + ["NODE_EXTRA_CA_CERTS", "WGETRC", "APT_CONFIG"] {
            let former = Self.formerPrefix + name
            // A path of our own file is from an earlier call, which kept the user's own value.
            if existing[name]?.hasPrefix("\(folder)/") == true { existing[name] = existing[former] }
            if let own = existing[name] { variables[former] = own }
        }
        (self.proxy, self.folder, self.existing) = (proxy, folder, existing)
        // Go prefers the names in uppercase, and all others those in lowercase.
        for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] { variables[name] = proxy }
        // Perl's HTTP::Tiny does not accept an empty value.
        for name in ["all_proxy", "ALL_PROXY"] where existing[name] != nil { variables[name] = proxy }
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = "" }
        for name in Self.bundleVariables { variables[name] = "\(folder)/\(File.bundle)" }
        variables["NODE_EXTRA_CA_CERTS"] = "\(folder)/\(File.extra)"
        variables["WGETRC"] = "\(folder)/\(File.wget)"
        variables["APT_CONFIG"] = "\(folder)/\(File.apt)"
        // PHP reads all ini files of these folders; an empty one stands for its own.
        let folders = (existing["PHP_INI_SCAN_DIR"] ?? "").replacing(":\(folder)", with: "")
        variables["PHP_INI_SCAN_DIR"] = "\(folders):\(folder)"
        variables["PERL_LWP_ENV_PROXY"] = "1"
        // npm and many other tools look for updates, which no test is about.
        variables["npm_config_update_notifier"] = "false"
        variables["NO_UPDATE_NOTIFIER"] = "1"
        let preload = "--require \(Self.nodeQuoted("\(folder)/\(File.preload)"))"
        variables["NODE_OPTIONS"] = Self.joined(existing["NODE_OPTIONS"]?.replacing(preload, with: ""), preload)
        let java = Self.javaOptions(origin, trustStore: "\(folder)/\(File.java)")
        variables["JAVA_TOOL_OPTIONS"] = Self.joined(Self.withoutOwn(existing["JAVA_TOOL_OPTIONS"]), java)
        self.variables = variables
        let exceptions = existing["no_proxy"] ?? existing["NO_PROXY"] ?? ""
        let note = "NO_PROXY, which was '\(exceptions)', is empty, so that all requests go through the proxy"
        notes = exceptions.isEmpty ? [] : [note]
    }

    /// The variables that name a file to use instead of the system's certificates: for OpenSSL, Ruby, and Go; curl;
    /// Python's requests; the AWS SDKs and CLI; git; Perl's LWP.
    private static let bundleVariables = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE", "GIT_SSL_CAINFO",
        "PERL_LWP_SSL_CA_FILE",
    ]

    /// The prefix of the variables that keep the user's own values.
    private static let formerPrefix = "REPRISE_FORMER_"

    private enum File {
        static let apt = "apt.conf"
        static let bundle = "bundle.pem"
        static let extra = "extra.pem"
        static let java = "trusted.jks"
        static let php = "php.ini"
        static let preload = "node.cjs"
        static let wget = "wgetrc"
        static let all = [apt, bundle, extra, java, php, preload, wget]
    }

    /// The names of the files in the folder.
    static let fileNames = File.all

    /// Returns the contents of the files in the folder, by name.
    ///
    /// - Parameters:
    ///   - authority: The certificate of the proxy's authority, in PEM.
    ///   - read: Returns the content of a file, or nil if it cannot be read.
    /// - Throws: `TLSError` if a certificate cannot be read.
    func files(authority: [UInt8], read: (String) -> [UInt8]?) throws(TLSError) -> [String: [UInt8]] {
        let newline = UInt8(ascii: "\n")
        // Tools for which the user has set other certificates still reach the hosts that the proxy doesn't answer for.
        var sources: [String] = []
        for path in Self.bundleVariables.compactMap({ existing[$0] }) where !sources.contains(path) {
            sources.append(path)
        }
        if existing["SSL_CERT_FILE"] == nil, let system = Self.systemBundles.first(where: { read($0) != nil }) {
            sources.append(system)
        }
        let bundle = sources.compactMap(read).reduce(authority) { $0 + [newline] + $1 }
        let extra = existing["NODE_EXTRA_CA_CERTS"].flatMap(read).map { [newline] + $0 } ?? []
        let trusted = "\(folder)/\(File.bundle)"
        // As root, apt downloads as a user who cannot read the folder.
        let apt = """

            Acquire::https::CAInfo "\(trusted)";
            APT::Sandbox::User "root";

            """
        let ownApt = existing["APT_CONFIG"].flatMap(read) ?? []
        let ownWget = (existing["WGETRC"] ?? existing["HOME"].map { "\($0)/.wgetrc" }).flatMap(read) ?? []
        let wget = """

            ca_certificate = \(trusted)
            use_proxy = on
            http_proxy = \(proxy)
            https_proxy = \(proxy)
            no_proxy =

            """
        return [
            File.apt: ownApt + apt.utf8, File.bundle: bundle, File.extra: authority + extra,
            File.java: try JavaTrustStore.encode(certificates: bundle),
            File.php: Array("curl.cainfo = \"\(trusted)\"\n".utf8), File.preload: Array(NodePreload.text.utf8),
            File.wget: ownWget + wget.utf8,
        ]
    }

    /// Where systems keep all trusted certificates in one file: OpenSSL's own choice, Debian, Fedora, Alpine and macOS.
    static let systemBundles = [
        Trust.systemFile, "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    private static func javaOptions(_ proxy: Origin, trustStore: String) -> String {
        var options = [javaMarks.0]
        for scheme in ["http", "https"] {
            options += ["-D\(scheme).proxyHost=\(proxy.host)", "-D\(scheme).proxyPort=\(proxy.port)"]
        }
        // Without this, Java reaches loopback addresses directly.
        options.append("-Dhttp.nonProxyHosts=")
        options.append(javaQuoted("-Djavax.net.ssl.trustStore=\(trustStore)"))
        options.append("-Djavax.net.ssl.trustStoreType=JKS")
        options.append("-Djavax.net.ssl.trustStorePassword=\(JavaTrustStore.password)")
        options.append(javaMarks.1)
        return options.joined(separator: " ")
    }

    /// The first and the last of the options for Java, so that a later call finds them.
    private static let javaMarks = ("-Dreprise.options=begin", "-Dreprise.options=end")

    /// Returns the options for Java that an earlier call did not add.
    private static func withoutOwn(_ options: String?) -> String? {
        guard var options, let start = options.firstRange(of: javaMarks.0),
            let end = options[start.upperBound...].firstRange(of: javaMarks.1)
        else { return options }
        options.replaceSubrange(start.lowerBound..<end.upperBound, with: "")
        return options
    }

    /// Java's launcher has quotes but no escapes, so a quote is written inside of the other kind.
    private static func javaQuoted(_ option: String) -> String {
        guard option.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "'" }) else { return option }
        return "\"\(option.replacing("\"", with: #""'"'""#))\""
    }

    private static func nodeQuoted(_ path: String) -> String {
        guard path.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" }) else { return path }
        return "\"\(path.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#))\""
    }

    private static func joined(_ existing: String?, _ options: String) -> String {
        let kept = (existing ?? "").reversed().drop(while: \.isWhitespace).reversed()
        return kept.isEmpty ? options : "\(String(kept)) \(options)"
    }
}
