// SPDX-License-Identifier: Apache-2.0

import RepriseStorage

extension ClientEnvironment {
    /// Writes the files that the variables name. The folder is created; only its owner may use it.
    ///
    /// - Parameter authority: The certificate of the proxy's authority, in PEM.
    /// - Throws: `TLSError` or `FileError`.
    func write(authority: [UInt8]) throws {
        let files = try files(authority: authority) { try? StorageFile.content(of: $0) }
        try FilePlace(folder).makeFolder(isPrivate: true)
        for (name, content) in files { try FilePlace("\(folder)/\(name)").write(content) }
    }

    /// Removes the files and, if it is then empty, the folder.
    static func removeFiles(in folder: String) throws(FileError) {
        for name in fileNames { try FilePlace("\(folder)/\(name)").removeFile() }
        try FilePlace(folder).removeEmptyFolder()
    }
}
