// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

/// The files whose content is being sent. All readers of a file, on all loops, share one descriptor, which is closed
/// when the last of them is done.
final class OpenFiles: Sendable {
    private struct State {
        var files: [String: WeakFile] = [:]
        /// The number of entries at which those of closed files are removed.
        var limit = 64
    }

    private struct WeakFile {
        weak var file: ReadOnlyFile?
    }

    private let state = Locked(State())

    /// A file that cannot be sent.
    enum Failure: Error {
        case system(SystemError)
        /// The file has fewer bytes than when the fixtures were loaded.
        case tooShort(FileSource, found: Int)
        /// The file is not the version that the header lines describe.
        case changed(FileSource)
    }

    /// Opens the file of `source` unless it is already open.
    ///
    /// - Throws: ``Failure`` if the file cannot be opened, is not the version of `source`, or lacks some of its bytes.
    func open(_ source: FileSource) throws(Failure) -> ReadOnlyFile {
        let (file, size, modified) = try open(source.path)
        guard size >= source.offset + source.size else { throw .tooShort(source, found: size) }
        guard source.version == nil || source.version == modified else { throw .changed(source) }
        return file
    }

    /// Returns the file at `path`, its current size, and the time of its last change.
    private func open(_ path: String) throws(Failure) -> (ReadOnlyFile, Int, Int64) {
        // The lock is held while the file is opened, so that readers who arrive at the same time share a descriptor.
        try state.withLock { state throws(Failure) in
            if let file = state.files[path]?.file, let (size, modified) = file.current {
                return (file, size, modified)
            }
            let file: ReadOnlyFile
            do throws(SystemError) { file = try ReadOnlyFile(path: path) } catch { throw .system(error) }
            state.files[path] = WeakFile(file: file)
            if state.files.count >= state.limit {
                state.files = state.files.filter { $0.value.file != nil }
                state.limit = max(64, state.files.count * 2)
            }
            return (file, file.size, file.modified)
        }
    }
}

extension ServerResponse {
    /// Returns the answer in place of a response whose file cannot be sent (RFC 9110 sections 15.6.1 and 15.6.4).
    static func noFile(_ failure: OpenFiles.Failure) -> ServerResponse {
        switch failure {
        case .system(let error) where error.isOutOfDescriptors:
            refusal(status: 503, because: "\(error); raise the limit on open files (ulimit -n)")
        case .system(let error):
            refusal(status: 500, because: "\(error); restore the file, or reload the fixtures")
        case .changed(let file):
            refusal(status: 500, because: "\(file.path) changed after it was loaded; reload the fixtures")
        case .tooShort(let file, let found):
            refusal(
                status: 500,
                because: "expected at least \(file.offset + file.size) bytes in \(file.path), found \(found); "
                    + "restore the file, or reload the fixtures"
            )
        }
    }
}
