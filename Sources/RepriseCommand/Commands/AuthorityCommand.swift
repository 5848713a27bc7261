// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseIO
import RepriseServer
import RepriseStorage
import RepriseText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct AuthorityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Manage the authority whose certificates a proxy presents to clients.",
        discussion: """
            Anyone who has the authority's key can impersonate any host to the programs that trust it. The key is in \
            ~/.config/reprise, readable by you only. Without a subcommand, prints whether there is an authority and \
            what trusts it. 'mockserver run' needs none of this: it makes an authority for that run only.
            """,
        subcommands: [
            AuthorityStatusCommand.self, AuthorityInstallCommand.self, AuthorityUninstallCommand.self,
            AuthorityEnvironmentCommand.self,
        ],
        defaultSubcommand: AuthorityStatusCommand.self
    )
}

struct AuthorityStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print whether there is an authority, and what trusts it."
    )

    func run() throws {
        let place = try AuthorityPlace()
        let authority = Result { try place.load() }
        if case .success(let authority) = authority {
            Report.line(authority.map { "\(place.certificate): \($0.summary)" } ?? "no authority in \(place.folder)")
        }
        for store in place.stores {
            switch store.state(.this) {
            case .current: Report.line("trusted by \(store.name)")
            case .outdated: Report.line("a former authority, or this one only in part, is in \(store.name)")
            case .absent: break
            case .unknown(let reason): Report.line("unknown whether trusted by \(store.name); \(reason)")
            }
        }
        _ = try authority.get()
    }
}

struct AuthorityInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Create an authority, and make this machine trust it for one year.",
        discussion: """
            Adds the authority to the system's certificates and to the databases of Chromium and Firefox. Asks before \
            it creates an authority or changes what this machine trusts. If something is left to do, such as commands \
            for another user, prints it and exits with 1.
            """
    )

    @Flag(help: "Don't ask for confirmation.")
    var yes = false

    @Flag(help: "Only create the authority, for 'ca env', and change no store of certificates.")
    var noStores = false

    func run() throws {
        let place = try AuthorityPlace()
        let existing = try place.load()
        if let existing, !noStores, !existing.isLimited {
            throw Report.failure(
                "expected an authority that is valid for at most 366 days and signs no other authorities, found "
                    + "\(existing.summary); run: \(Tool.command("ca", "uninstall"))"
            )
        }
        let stores = noStores ? [] : place.stores.filter { $0.state(.this) != .current }
        if existing == nil || !stores.isEmpty { try confirm(place, isNew: existing == nil) }
        let authority = try existing ?? place.create()
        Report.line("\(place.certificate): \(authority.summary)")
        let left = place.change(stores, toTrust: true)
        if !left.isEmpty { throw Report.failure("not every store trusts the authority yet; follow the steps above") }
        Report.message("to set the variables of a shell, run: eval \"$(\(Tool.command("ca", "env")))\"")
    }

    private func confirm(_ place: AuthorityPlace, isNew: Bool) throws {
        if yes { return }
        let risk = "Programs on this machine will accept any certificate that the key in \(place.folder) signs."
        guard StandardStream.error.isTerminal else {
            throw ValidationError("\(risk) To confirm this without a terminal, add --yes")
        }
        let question = isNew ? "Create an authority, valid for one year?" : "Make this machine trust the authority?"
        Report.message("\(risk)\n\(question) [y/N]")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw Report.failure("nothing was changed") }
    }
}

struct AuthorityUninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the authority from everything that trusts it, and delete its key."
    )

    func run() throws {
        let place = try AuthorityPlace()
        let left = place.change(place.stores, toTrust: false)
        try place.delete(keepsCertificate: !left.isEmpty)
        Report.line("deleted the \(left.isEmpty ? "authority" : "authority's key") in \(place.folder)")
        if left.isEmpty { return }
        throw Report.failure(
            "some stores may still trust the authority, whose key is deleted; follow the steps above, then run: "
                + Tool.command("ca", "uninstall")
        )
    }
}

struct AuthorityEnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the variables that make programs use a proxy and trust the authority.",
        discussion: "eval \"$(mockserver ca env --proxy http://127.0.0.1:8080)\""
    )

    @Option(help: ArgumentHelp("The URL of the proxy.", valueName: "url"))
    var proxy = "http://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "The folder with the proxy's certificate authority. (default: that of 'ca install')",
            valueName: "folder"
        )
    )
    var proxyFolder: String?

    func run() throws {
        let place = try AuthorityPlace(folder: proxyFolder)
        guard let authority = try place.load() else {
            let next = proxyFolder == nil ? "run: \(Tool.command("ca", "install"))" : "start the proxy first"
            throw Report.failure("expected an authority in \(place.folder), found none; \(next)")
        }
        do {
            let environment = ProcessInfo.processInfo.environment
            let clients = try ClientEnvironment(proxy: proxy, folder: place.clientFolder, existing: environment)
            try clients.write(authority: authority.certificate)
            for note in clients.notes { Report.message("note: \(note)") }
            for (name, value) in clients.variables.sorted(by: { $0.key < $1.key }) {
                Report.line("export \(name)=\(DisplayText.shellWord(value))")
            }
        } catch {
            throw Report.failure("--proxy \(proxy): \(error)")
        }
    }
}

/// The user's authority on this machine, or that of one proxy.
struct AuthorityPlace {
    let folder: String
    private let home: String
    private let isOfUser: Bool

    /// - Parameter folder: The folder of the proxy's authority, or nil for that of `ca install`.
    init(folder: String? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        let path = folder.map { URL(filePath: $0).path } ?? LocalAuthority.userFolder(environment)
        guard let home = environment["HOME"], let path else {
            throw Report.failure("expected the variable HOME, found none; set it to your home folder")
        }
        (self.home, self.folder, isOfUser) = (home, path, folder == nil)
    }

    /// The folder of the authority that `ca install` made; nil if there is none.
    static var installedFolder: String? {
        guard let place = try? AuthorityPlace(), FilePlace(place.key).exists else { return nil }
        return place.folder
    }

    var certificate: String { "\(folder)/\(LocalAuthority.certificateName)" }

    private var key: String { "\(folder)/\(LocalAuthority.keyName)" }

    /// The folder of the files that `ca env` writes.
    var clientFolder: String { "\(folder)/clients" }

    var stores: [TrustStore] {
        TrustStore.all(certificate: certificate, home: home) { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().map { "\(folder)/\($0)" }
        }
    }

    func load() throws -> CertificateAuthority? {
        do { return try LocalAuthority.load(in: folder) } catch {
            throw Report.failure(isOfUser ? "\(error); run: \(Tool.command("ca", "uninstall"))" : "\(error)")
        }
    }

    func create() throws -> CertificateAuthority {
        do { return try LocalAuthority.create(in: folder) } catch {
            throw Report.failure("\(error)")
        }
    }

    /// - Parameter keepsCertificate: Whether commands that the user still has to run need the certificate.
    func delete(keepsCertificate: Bool) throws {
        do {
            // The key comes first: without it, the rest is harmless.
            try FilePlace(key).removeFile()
            try ClientEnvironment.removeFiles(in: clientFolder)
            if keepsCertificate { return }
            try FilePlace(certificate).removeFile()
            try FilePlace(folder).removeEmptyFolder()
        } catch {
            throw Report.failure("\(error)")
        }
    }

    /// Adds the authority to stores, or removes it from them. Returns the stores that the user still has to change.
    func change(_ stores: [TrustStore], toTrust trusts: Bool) -> [TrustStore] {
        stores.filter { store in
            switch store.change(toTrust: trusts, on: .this) {
            case .none: return false
            case .done:
                Report.line("\(trusts ? "added to" : "removed from") \(store.name)")
                return false
            case .left(let step):
                Report.message("for \(store.name), \(step)")
                return true
            }
        }
    }
}
