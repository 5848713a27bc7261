// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// The options of `serve`, `record`, and `run` for clients that use the server as their proxy.
struct ProxyArguments: ParsableArguments {
    @Flag(help: "Also act as the forward proxy of clients, which must trust the proxy's certificate authority.")
    var proxy = false

    @Option(
        help: ArgumentHelp(
            """
            With --proxy: keep the certificate authority in this folder, so that clients trust it only once. (default: \
            that of 'ca install', if there is one; for 'run', a new authority each time)
            """,
            valueName: "folder"
        )
    )
    var proxyFolder: String?

    @Option(
        help: ArgumentHelp(
            "With --proxy: answer and record only this host, and pass on connections to all others unread; repeatable.",
            valueName: "host"
        )
    )
    var onlyHost: [String] = []

    @Option(
        help: ArgumentHelp("With --proxy: pass on connections to this host unread; repeatable.", valueName: "host")
    )
    var pass: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --proxy: answer requests to this host with 503, without counting or recording them; repeatable.",
            valueName: "host"
        )
    )
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            With --proxy: connect to this address instead of the host, such as api.example.com=127.0.0.1:9000; \
            repeatable.
            """,
            valueName: "host=address"
        )
    )
    var map: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            With --proxy: let clients on other machines use the proxy with this name and password. Connections from \
            this machine need none, not even those that ssh or a reverse proxy on it passes on. Set it as \
            MOCKSERVER_PROXY_USER, because other users of the machine can read command lines.
            """,
            valueName: "name:password"
        )
    )
    var proxyUser: String?

    /// The settings of the proxy; nil without `--proxy`, unless it is implied.
    func resolved(isImplied: Bool = false) throws -> MockServer.ForwardProxy? {
        let maps = try OptionKind.hostMap.values(map, "--map")
        guard try isImplied || proxy || EnvironmentVariable(of: "--proxy").isSet() else {
            let given: KeyValuePairs = [
                "--proxy-folder": proxyFolder != nil, "--only-host": !onlyHost.isEmpty, "--pass": !pass.isEmpty,
                "--ignore": !ignore.isEmpty, "--map": !map.isEmpty, "--proxy-user": proxyUser != nil,
            ]
            guard let option = given.first(where: \.value)?.key else { return nil }
            throw ValidationError("\(option): expected --proxy, found none; add --proxy")
        }
        // Nothing but the command of 'run' needs to trust its authority.
        let installed = isImplied ? nil : AuthorityPlace.installedFolder
        let folder = proxyFolder ?? EnvironmentVariable(of: "--proxy-folder").text() ?? installed
        var proxy = MockServer.ForwardProxy(
            authority: folder.map { .folder($0) } ?? .temporary,
            only: EnvironmentVariable(of: "--only-host").list(unless: onlyHost, "--only-host").texts,
            pass: EnvironmentVariable(of: "--pass").list(unless: pass, "--pass").texts,
            map: Dictionary(maps) { _, last in last },
            credentials: proxyUser ?? EnvironmentVariable(of: "--proxy-user").text()
        )
        proxy.ignored = EnvironmentVariable(of: "--ignore").list(unless: ignore, "--ignore").texts
        return proxy
    }
}

extension OptionKind<(String, String)> {
    /// A host, and the host and port to connect to instead.
    fileprivate static var hostMap: Self {
        Self("a host and an address such as api.example.com=127.0.0.1:9000") { text in
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else { return nil }
            return (String(parts[0]), String(parts[1]))
        }
    }
}
