// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

/// The files of one exchange, while there is somebody who records.
struct ExchangeFiles: Sendable {
    let recorder: CassetteRecorder
    let ordinal: Int

    /// What the file for a part is called while it is written.
    func name(_ part: BodyFolder.Part) -> String {
        BodyFolder.temporaryName(part, ordinal: ordinal)
    }

    /// Makes the file for a part.
    func make(_ part: BodyFolder.Part) throws(RecordingFault) -> StorageFile {
        try recorder.whileRecording { () throws(FileError) in
            try recorder.folder.temporaryFile(part, ordinal: ordinal)
        }
    }

    /// Keeps a body: in memory if it is small, else in a file that is called as what it holds.
    func keep(
        _ body: inout SpillBuffer,
        _ part: BodyFolder.Part,
        contentType: String?
    ) throws(RecordingFault) -> ByteSource {
        let isText = UTF8Sequence.isValid(body.memory)
        guard body.file != nil || body.count > (isText ? CassetteWriter.textLimit : CassetteWriter.binaryLimit) else {
            return .bytes(body.memory)
        }
        try body.spill { () throws(RecordingFault) in try make(part) }
        guard let file = body.file, let hash = body.fileHash else { return .bytes(body.memory) }
        let (name, isThere) = try RecordingFault.onDisk { () throws(FileError) in
            try recorder.folder.name(for: file, hash: hash, contentType: contentType)
        }
        let place = recorder.folder.place(of: name)
        // Two that come to the same name at once hold the same.
        try recorder.whileRecording { () throws(FileError) in
            if isThere { try FilePlace(file.path).removeFile() } else { try FilePlace(file.path).move(to: place) }
        }
        return .file(FileSource(path: place.path, name: name, size: body.count))
    }

    /// Removes what there is of the exchange.
    func removeAll() {
        // Not once the recording is over: the names may be those of the next one. What cannot be removed now is removed
        // at the end, or at the next start.
        try? recorder.whileRecording { () throws(FileError) in
            for part in BodyFolder.Part.allCases { try recorder.folder.place(of: name(part)).removeFile() }
        }
    }
}
