// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// Why one exchange is not kept.
enum RecordingFault: Error, Hashable {
    /// A body cannot be scanned for secrets; what for is the part of the exchange: `request`, `response`.
    case unscannable(BodyFolder.Part, String)
    /// No cassette can hold it.
    case invalid(String)
    /// The disk did not do its part.
    case disk(FileError)
    /// The recording is over.
    case over

    /// Does `body`, whose errors are those of the disk.
    static func onDisk<Value>(_ body: () throws(FileError) -> Value) throws(RecordingFault) -> Value {
        do {
            return try body()
        } catch {
            throw .disk(error)
        }
    }
}
