// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseStorage

/// Loads or creates the certificate authority in a folder.
enum LocalAuthority {
    static let certificateName = "ca.pem"
    static let keyName = "ca-key.pem"

    /// Loads the authority from `folder`, or creates it if neither file exists.
    static func loadOrCreate(in folder: String) throws(TLSError) -> CertificateAuthority {
        let (certificate, key) = ("\(folder)/\(certificateName)", "\(folder)/\(keyName)")
        switch (FilePlace(certificate).exists, FilePlace(key).exists) {
        case (true, true):
            return try CertificateAuthority(
                certificate: ServingIdentity.read(certificate, "the authority's certificate"),
                privateKey: ServingIdentity.read(key, "the authority's key")
            )
        case (false, false):
            return try make(folder, certificate, key)
        case (let hasCertificate, _):
            let (there, missing) = hasCertificate ? (certificate, key) : (key, certificate)
            throw TLSError(
                .configuration,
                "expected \(there) and \(missing), found only the first; restore \(missing) or remove \(there)"
            )
        }
    }

    private static func make(
        _ folder: String,
        _ certificate: String,
        _ key: String
    ) throws(TLSError) -> CertificateAuthority {
        let authority = try CertificateAuthority(name: "mockserver local authority")
        do throws(FileError) {
            try FilePlace(folder).makeFolder()
            // Write the key first: if two servers start at the same moment, only one can create it.
            try FilePlace(key).createPrivate(authority.privateKey)
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
