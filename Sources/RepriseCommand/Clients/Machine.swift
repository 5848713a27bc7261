// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseStorage

/// The means by which certificate stores are read and changed.
struct Machine {
    /// Runs a command. Returns its exit status, or 127 if there is no such program.
    var run: ([String]) -> Int32
    /// Returns the content of a file; nil if there is none.
    var read: (String) throws(FileError) -> [UInt8]?
    /// Whether there is a file or a link at a path, even a link that leads nowhere.
    var hasEntry: (String) -> Bool

    /// The machine that this process runs on.
    static var this: Machine {
        Machine(
            run: { command in
                do throws(SystemError) { return try CommandProcess(command).waitUntilEnd().status } catch { return 127 }
            },
            read: { (path: String) throws(FileError) -> [UInt8]? in
                do throws(FileError) { return try StorageFile.content(of: path) } catch {
                    if error.isMissing { return nil }
                    throw error
                }
            },
            hasEntry: { FilePlace($0).exists || FilePlace($0).target.path != $0 }
        )
    }

    /// Returns whether the system's programs trust an authority, judging by the files that they read.
    ///
    /// - Parameter parts: The files, other than bundles, that equal the certificate if the system trusts it.
    func systemState(_ certificate: String, parts: [String]) -> TrustStore.State {
        do throws(FileError) {
            let authority = try read(certificate)
            let bundles = try contents(ClientEnvironment.systemBundles).compactMap(\.self)
            let isTrusted = authority.map { own in bundles.contains { $0.firstRange(of: own) != nil } } ?? false
            if isTrusted, try contents(parts).allSatisfy({ $0 == authority }) { return .current }
            return isTrusted || parts.contains(where: hasEntry) ? .outdated : .absent
        } catch {
            return .unknown("make the file readable (\(error))")
        }
    }

    private func contents(_ paths: [String]) throws(FileError) -> [[UInt8]?] {
        try paths.map { path throws(FileError) in try read(path) }
    }
}
