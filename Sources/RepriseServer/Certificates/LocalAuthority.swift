// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseStorage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension MockServer.Configuration {
    /// Checks that no authority's key is among the static files in `folder`. Anyone who gets the key can impersonate
    /// any host to the programs that trust the authority.
    func checkThatNoKeyIsServed(from folder: String) throws(StartError) {
        var authorities: [String] = []
        if case .localAuthority(let folder?, _) = tls { authorities.append(folder) }
        if case .folder(let folder) = proxy?.authority { authorities.append(folder) }
        func path(_ folder: String) -> String {
            // The folder that a link leads to may not exist yet.
            let target = FilePlace(folder).target.path
            return URL(fileURLWithPath: target, isDirectory: true).standardizedFileURL.resolvingSymlinksInPath().path
                + "/"
        }
        for authority in authorities where path(authority).hasPrefix(path(folder)) {
            throw StartError(
                .configuration,
                "expected the authority's key outside of the static files in \(folder), found it in \(authority); "
                    + "move the authority to another folder"
            )
        }
    }
}

/// Loads or creates the certificate authority in a folder.
package enum LocalAuthority {
    package static let certificateName = "ca.pem"
    package static let keyName = KeyFile.authorityName

    /// Returns the folder of the user's authority, which `ca install` creates, or nil if the user has no home.
    package static func userFolder(_ environment: [String: String]) -> String? {
        // A relative path is invalid (XDG Base Directory Specification).
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/reprise" }
        return environment["HOME"].map { "\($0)/.config/reprise" }
    }

    /// Loads the authority from `folder`.
    ///
    /// - Returns: The authority, or nil if neither file exists.
    /// - Throws: `TLSError` if only one file exists, if the files cannot be used, if others than their owner can read
    ///   the key, or if the authority has expired.
    package static func load(in folder: String) throws(TLSError) -> CertificateAuthority? {
        let (certificate, key) = ("\(folder)/\(certificateName)", "\(folder)/\(keyName)")
        switch (FilePlace(certificate).exists, FilePlace(key).exists) {
        case (false, false):
            return nil
        case (true, true):
            let file = try ServingIdentity.readKey(key, "the authority's key")
            guard file.isPrivate else {
                throw TLSError(
                    .configuration,
                    "expected \(key) to belong to you and to be readable by you only, found that others could use it "
                        + "to sign certificates that clients trust; make a new authority in its place"
                )
            }
            let authority = try CertificateAuthority(
                certificate: ServingIdentity.read(certificate, "the authority's certificate"),
                privateKey: file.content
            )
            guard !authority.hasExpired else {
                throw TLSError(.configuration, "the authority in \(folder) has expired; make a new one in its place")
            }
            return authority
        case (let hasCertificate, _):
            let (there, missing) = hasCertificate ? (certificate, key) : (key, certificate)
            throw TLSError(
                .configuration,
                "expected \(there) and \(missing), found only the first; restore \(missing) or remove \(there)"
            )
        }
    }

    /// Loads the authority from `folder`, or creates it if neither file exists.
    static func loadOrCreate(in folder: String) throws(TLSError) -> CertificateAuthority {
        if let authority = try load(in: folder) { return authority }
        return try create(in: folder)
    }

    /// Creates an authority that is valid for one year and signs no other authorities, in a folder that only its owner
    /// may use.
    ///
    /// - Throws: `TLSError` if the folder already has an authority, or cannot be written to.
    package static func create(in folder: String) throws(TLSError) -> CertificateAuthority {
        // A common name has at most 64 characters.
        let name = "mockserver on \(ProcessInfo.processInfo.hostName)".prefix(64)
        let authority = try CertificateAuthority(name: String(name), validity: .days(365), signsAuthorities: false)
        let (certificate, key) = ("\(folder)/\(certificateName)", "\(folder)/\(keyName)")
        do throws(FileError) {
            try FilePlace(folder).makeFolder(isPrivate: true)
            // Write the key first: if two servers start at the same moment, only one can create it.
            try FilePlace(key).createPrivate(authority.privateKey)
            _ = try KeyFile(key)
            try FilePlace(certificate).write(authority.certificate)
        } catch  where error.path == key {
            throw TLSError(.configuration, "cannot store the authority's key: \(error)")
        } catch {
            throw TLSError(
                .configuration,
                "expected a folder that can be created and written to, found \(folder); choose another folder"
            )
        }
        return authority
    }
}
