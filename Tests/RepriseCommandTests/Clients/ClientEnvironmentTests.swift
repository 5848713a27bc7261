// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseConnections
import RepriseIO
import RepriseTestSupport
import Testing

@testable import RepriseCommand

@Suite struct ClientEnvironmentTests {
    private func clients(_ existing: [String: String] = [:], folder: String = "/tmp/ca") throws -> ClientEnvironment {
        try ClientEnvironment(proxy: "http://w3:x@127.0.0.1:8080", folder: folder, existing: existing)
    }

    @Test func namesProxyAndBundle() throws {
        let variables = try clients().variables
        for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
            #expect(variables[name] == "http://w3:x@127.0.0.1:8080")
        }
        let bundles = [
            "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE", "GIT_SSL_CAINFO",
            "PERL_LWP_SSL_CA_FILE",
        ]
        for name in bundles { #expect(variables[name] == "/tmp/ca/bundle.pem") }
        #expect(variables["PERL_LWP_ENV_PROXY"] == "1")
        #expect(variables["npm_config_update_notifier"] == "false")
        #expect(variables["PHP_INI_SCAN_DIR"] == ":/tmp/ca")
        #expect(variables["NODE_OPTIONS"] == "--require /tmp/ca/node.cjs")
        let java = try #require(variables["JAVA_TOOL_OPTIONS"])
        #expect(java.contains(" -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=8080 -Dhttps.proxyHost=127.0.0.1 "))
    }

    @Test func rejectsInvalidProxy() {
        #expect(throws: Proxy.Malformed.self) {
            try ClientEnvironment(proxy: "socks5://127.0.0.1", folder: "/tmp/ca", existing: [:])
        }
    }

    @Test func replacesProxyForOtherSchemesOnlyIfThereIsOne() throws {
        let clients = try clients(["ALL_PROXY": "socks5://other:1080"])
        #expect(clients.variables["ALL_PROXY"] == clients.variables["http_proxy"])
        #expect(clients.variables["all_proxy"] == nil)
    }

    @Test func replacesExceptionsAndSaysSo() throws {
        #expect(try clients().notes == [])
        let clients = try clients(["NO_PROXY": "localhost"])
        #expect([clients.variables["no_proxy"], clients.variables["NO_PROXY"]] == ["", ""])
        let note = "NO_PROXY, which was 'localhost', is empty, so that all requests go through the proxy"
        #expect(clients.notes == [note])
    }

    @Test func keepsExistingOptionsAndReplacesItsOwn() throws {
        let first = try clients(["NODE_OPTIONS": "--trace-warnings", "JAVA_TOOL_OPTIONS": "-Xmx1g "])
        #expect(first.variables["NODE_OPTIONS"] == "--trace-warnings --require /tmp/ca/node.cjs")
        let java = try #require(first.variables["JAVA_TOOL_OPTIONS"])
        #expect(java.hasPrefix("-Xmx1g -Dreprise.options=begin -Dhttp.proxyHost=127.0.0.1 "))
        #expect(try clients(first.variables).variables == first.variables)
        let changed = ["JAVA_TOOL_OPTIONS": "-Dhttp.proxyHost=other \(java) -Xms1m"]
        let options = try #require(try clients(changed).variables["JAVA_TOOL_OPTIONS"])
        #expect(options.hasPrefix("-Dhttp.proxyHost=other -Xmx1g  -Xms1m -Dreprise.options=begin "))
    }

    @Test func keepsExistingFoldersOfPHP() throws {
        let first = try clients(["PHP_INI_SCAN_DIR": "/etc/own:/etc/other"]).variables
        #expect(first["PHP_INI_SCAN_DIR"] == "/etc/own:/etc/other:/tmp/ca")
        #expect(try clients(first).variables == first)
    }

    @Test func secondCallKeepsUsersOwnFiles() throws {
        let own = [
            "SSL_CERT_FILE": "/etc/own.pem", "CURL_CA_BUNDLE": "", "WGETRC": "/etc/own.wgetrc",
            "APT_CONFIG": "/etc/own.conf",
        ]
        let first = try clients(own).variables
        #expect(first["CURL_CA_BUNDLE"] == "/tmp/ca/bundle.pem")
        var asked: Set<String> = []
        let authority = try CertificateAuthority().certificate
        _ = try clients(first).files(authority: authority) { path in
            asked.insert(path)
            return authority
        }
        #expect(asked == ["/etc/own.pem", "/etc/own.wgetrc", "/etc/own.conf"])
    }

    @Test func onlyOwnerMayReadFiles() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let clients = try clients(folder: folder.path)
        for _ in 1...2 { try clients.write(authority: try CertificateAuthority().certificate) }
        for name in ClientEnvironment.fileNames {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(ClientEnvironment.fileNames))
    }

    @Test(arguments: [
        ("/tmp/a b", #"--require "/tmp/a b/node.cjs""#, #""-Djavax.net.ssl.trustStore=/tmp/a b/trusted.jks""#),
        (#"/a"\"#, #"--require "/a\"\\/node.cjs""#, #""-Djavax.net.ssl.trustStore=/a"'"'"\/trusted.jks""#),
    ])
    func quotesPaths(folder: String, node: String, java: String) throws {
        let variables = try clients(folder: folder).variables
        #expect(variables["NODE_OPTIONS"] == node)
        #expect(variables["JAVA_TOOL_OPTIONS"]?.contains(" \(java) ") == true)
    }

    @Test func filesContainOtherAuthoritiesAndOwnSettings() throws {
        let authority = try CertificateAuthority().certificate
        let existing = try CertificateAuthority().certificate
        let variables = [
            "SSL_CERT_FILE": "/etc/own.pem", "AWS_CA_BUNDLE": "/etc/own.pem", "GIT_SSL_CAINFO": "/tmp/ca/bundle.pem",
            "NODE_EXTRA_CA_CERTS": "/etc/own.pem", "HOME": "/home/me", "APT_CONFIG": "/etc/own.conf",
        ]
        var asked: [String] = []
        let files = try clients(variables).files(authority: authority) { path in
            asked.append(path)
            let texts = ["/home/me/.wgetrc": "tries = 3\nhttp_proxy = other", "/etc/own.conf": "APT::Color \"no\";"]
            return path == "/etc/own.pem" ? existing : texts[path].map { Array($0.utf8) }
        }
        #expect(files["bundle.pem"] == authority + [10] + existing)
        #expect(files["extra.pem"] == authority + [10] + existing)
        #expect(files["trusted.jks"]?.prefix(12) == [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 2])
        let wgetrc = String(decoding: files["wgetrc"] ?? [], as: UTF8.self)
        #expect(wgetrc.hasPrefix("tries = 3\nhttp_proxy = other\nca_certificate = /tmp/ca/bundle.pem\n"))
        #expect(wgetrc.hasSuffix("\nhttps_proxy = http://w3:x@127.0.0.1:8080\nno_proxy =\n"))
        let apt = """
            APT::Color "no";
            Acquire::https::CAInfo "/tmp/ca/bundle.pem";
            APT::Sandbox::User "root";

            """
        #expect(files["apt.conf"] == Array(apt.utf8))
        #expect(files["php.ini"] == Array("curl.cainfo = \"/tmp/ca/bundle.pem\"\n".utf8))
        #expect(!asked.contains("/tmp/ca/bundle.pem"))
        #expect(Set(files.keys) == Set(ClientEnvironment.fileNames))
    }

    @Test func bundleContainsSystemsAuthorities() throws {
        let (authority, system) = (try CertificateAuthority().certificate, try CertificateAuthority().certificate)
        let files = try clients().files(authority: authority) { $0 == Trust.systemFile ? system : nil }
        #expect(files["bundle.pem"] == authority + [10] + system)
        #expect(files["extra.pem"] == authority)
    }
}
