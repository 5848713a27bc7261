// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension StubMappingWriter {
    /// Returns an edit of a recorded answer as JSON.
    static func tree(of bend: Bend) -> JSONTree {
        var object: JSONObject = [:]
        switch bend.place {
        case .start: break
        case .event(let number): object["event"] = .number(JSONNumber(number))
        case .afterEvent(let number): object["afterEvent"] = .number(JSONNumber(number))
        case .line(let number): object["line"] = .number(JSONNumber(number))
        case .afterLine(let number): object["afterLine"] = .number(JSONNumber(number))
        case .afterByte(let number): object["afterByte"] = .number(JSONNumber(number))
        case .afterTime(let time): object["afterTime"] = .number(milliseconds(time))
        }
        switch bend.edit {
        case .insert(let bytes): object["insert"] = tree(of: bytes)
        case .replace(let bytes): object["replace"] = tree(of: bytes)
        case .body(let bytes): object["body"] = tree(of: bytes)
        case .drop: object["drop"] = true
        case .repeat(let count): object["repeat"] = .number(JSONNumber(count))
        case .delay(let time): object["delay"] = .number(milliseconds(time))
        case .stall: object["then"] = "stall"
        case .reset: object["then"] = "reset"
        case .truncate: object["then"] = "truncate"
        case .slow(let count): object["bytesPerSecond"] = .number(JSONNumber(count))
        case .rechunk(let size): object["rechunk"] = .number(JSONNumber(size))
        case .rechunkRandomly(let seed): object["rechunk"] = ["seed": tree(of: seed)]
        case .status(let status): object["status"] = .number(JSONNumber(status))
        case .header(let name, let value): object["header"] = .string("\(name): \(value)")
        }
        object["answers"] = bend.answers.map { .number(JSONNumber($0)) }
        return object.tree
    }

    /// Returns a seed as a number, or as a string if readers of JSON could round it.
    private static func tree(of seed: UInt64) -> JSONTree {
        let seed = Int(clamping: seed)
        return seed < 1_000_000_000_000_000 ? .number(JSONNumber(seed)) : .string("\(seed)")
    }

    /// Returns text as a string, and other bytes in Base64.
    private static func tree(of bytes: [UInt8]) -> JSONTree {
        guard UTF8Sequence.isValid(bytes) else { return ["base64": .string(Base64.text(bytes))] }
        return .string(String(decoding: bytes, as: UTF8.self))
    }
}
