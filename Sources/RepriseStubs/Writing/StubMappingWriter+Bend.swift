// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension StubMappingWriter {
    /// Returns an edit of a recorded answer as JSON.
    static func tree(of bend: StubBend) -> JSONTree {
        var object = JSONObject()
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
        case .insert(let text): object["insert"] = .string(text)
        case .replace(let text): object["replace"] = .string(text)
        case .drop: object["drop"] = true
        case .repeat(let count): object["repeat"] = .number(JSONNumber(count))
        case .delay(let time): object["delay"] = .number(milliseconds(time))
        case .stall: object["then"] = "stall"
        case .reset: object["then"] = "reset"
        case .truncate: object["then"] = "truncate"
        case .bytesPerSecond(let count): object["bytesPerSecond"] = .number(JSONNumber(count))
        case .rechunk(let size): object["rechunk"] = .number(JSONNumber(size))
        case .rechunkRandomly(let seed): object["rechunk"] = ["seed": .number(JSONNumber(Int(clamping: seed)))]
        case .status(let status): object["status"] = .number(JSONNumber(status))
        case .header(let header): object["header"] = .string("\(header.name): \(header.value)")
        }
        return object.tree
    }
}
