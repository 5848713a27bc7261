// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseText
internal import RepriseWire

extension Responder {
    /// Returns the answer of a folder whose files are served as they are; nil if it has no such file.
    func answer(
        from folder: StaticFolder,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer? {
        guard head.form == .origin || head.form == .absolute, head.isHead(in: bytes) || bytes.text(head.method) == "GET"
        else { return nil }
        switch folder.answer(bytes.extracting(head.path)) {
        case .file(let whole, let path)?:
            let plan = head.conditions(in: bytes).flatMap { whole.answering($0) } ?? whole
            let script = serializer.script(for: plan, to: client(bytes, head, context), date: date())
            return .script(script, .none(status: plan.head?.status ?? 0), by: path)
        case .folder?:
            let query = head.query.map { [UInt8(ascii: "?")] + bytes.bytes($0) } ?? []
            let line = Array("Location: ".utf8) + bytes.bytes(head.path) + [UInt8(ascii: "/")] + query
            var response = OwnResponse(status: 301, reason: "Moved Permanently")
            response.headers = [HeaderLine(bytes: line)].compactMap(\.self)
            return own(response, bytes, head, context, date: date)
        case .failure(let reason)?:
            let text = "500 Internal Server Error: \(bytes.text(head.path)): \(reason)\n"
            let response = OwnResponse(status: 500, reason: "Internal Server Error", content: Array(text.utf8))
            return own(response, bytes, head, context, date: date)
        case nil:
            return nil
        }
    }
}
