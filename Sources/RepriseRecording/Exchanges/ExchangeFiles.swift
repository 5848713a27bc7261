// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

/// The files of one exchange. They are accessible while the recording runs.
struct ExchangeFiles: Sendable {
    let recorder: CassetteRecorder
    let ordinal: Int

    /// The name of the file for a part during the recording.
    func name(_ part: BodyFolder.Part) -> String {
        BodyFolder.temporaryName(part, ordinal: ordinal)
    }

    func make(_ part: BodyFolder.Part) throws(RecordingFault) -> StorageFile {
        try recorder.whileRecording { () throws(FileError) in
            try recorder.folder.temporaryFile(part, ordinal: ordinal)
        }
    }

    /// Saves a body: in memory if it is small, otherwise in a file named after a hash of its content.
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
        let (name, exists) = try RecordingFault.onDisk { () throws(FileError) in
            try recorder.folder.name(for: file, hash: hash, contentType: contentType)
        }
        let place = recorder.folder.place(of: name)
        // Two exchanges that choose the same name at the same time have the same content.
        try recorder.whileRecording { () throws(FileError) in
            if exists { try FilePlace(file.path).removeFile() } else { try FilePlace(file.path).move(to: place) }
        }
        return .file(FileSource(path: place.path, name: name, size: body.count))
    }

    func removeAll() {
        // Files are not removed after the recording ended, because the next recording may use the same names. Files
        // that cannot be removed now are removed at the end or at the next start.
        try? recorder.whileRecording { () throws(FileError) in
            for part in BodyFolder.Part.allCases { try recorder.folder.place(of: name(part)).removeFile() }
        }
    }
}
