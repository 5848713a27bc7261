// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// The reason an exchange was not recorded.
enum RecordingFault: Error, Hashable {
    /// A body cannot be scanned for secrets. The part is `request` or `response`, and the text gives the reason.
    case unscannable(BodyFolder.Part, String)
    /// The exchange is not valid in a cassette.
    case invalid(String)
    case disk(FileError)
    case over

    static func onDisk<Value>(_ body: () throws(FileError) -> Value) throws(RecordingFault) -> Value {
        do {
            return try body()
        } catch {
            throw .disk(error)
        }
    }
}
