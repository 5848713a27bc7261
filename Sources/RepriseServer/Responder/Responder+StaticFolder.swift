// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseText
internal import RepriseWire

extension Responder {
    /// Returns the reply of a folder whose files are served as they are; nil if it has no such file.
    func reply(from folder: StaticFolder, to request: IncomingRequest) -> Reply? {
        let (head, bytes) = (request.head, request.bytes)
        guard head.form == .origin || head.form == .absolute, request.isHead || head.isGet(in: bytes)
        else { return nil }
        switch folder.answer(bytes.extracting(head.path)) {
        case .file(let whole, let path)?:
            let plan = head.conditions(in: bytes).flatMap { whole.answering($0) } ?? whole
            let status = plan.head?.status ?? 0
            return .plan(plan, .none(status: status), Reply.PlanTraits(isDated: true, server: path))
        case .folder?:
            let query = head.query.map { [UInt8(ascii: "?")] + bytes.bytes($0) } ?? []
            let line = Array("Location: ".utf8) + bytes.bytes(head.path) + [UInt8(ascii: "/")] + query
            var response = ServerResponse(status: 301, reason: "Moved Permanently")
            response.headers = [HeaderLine(bytes: line)].compactMap(\.self)
            return .response(response)
        case .failure(let reason)?:
            return .response(.refusal(status: 500, because: "\(bytes.text(head.path)): \(reason)"))
        case nil:
            return nil
        }
    }
}
