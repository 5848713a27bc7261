// SPDX-License-Identifier: Apache-2.0

import RepriseStorage

extension ClientEnvironment {
    /// Writes the files that the variables name. Only the owner may read them: the user's own `.wgetrc` and the proxy's
    /// URL may contain passwords. The folder is created if it is missing.
    ///
    /// - Parameter authority: The certificate of the proxy's authority, in PEM.
    /// - Throws: `TLSError` or `FileError`.
    func write(authority: [UInt8]) throws {
        let files = try files(authority: authority) { try? StorageFile.content(of: $0) }
        try FilePlace(folder).makeFolder(isPrivate: true)
        for (name, content) in files {
            let temporary = FilePlace("\(folder)/\(name).part")
            try temporary.removeFile()
            try temporary.createPrivate(content)
            try temporary.move(to: FilePlace("\(folder)/\(name)"))
        }
    }

    /// Removes the files and, if it is then empty, the folder.
    static func removeFiles(in folder: String) throws(FileError) {
        for name in fileNames { try FilePlace("\(folder)/\(name)").removeFile() }
        try FilePlace(folder).removeEmptyFolder()
    }
}
