// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

extension RequestHead {
    /// Returns the conditions of a GET or HEAD request; nil if it has none.
    func conditions(in bytes: Span<UInt8>) -> RequestConditions? {
        // Almost no request has one, so compare only the lengths of the names first.
        guard fields.contains(where: { RequestConditions.mayBeName(byteCount: $0.name.count) }) else { return nil }
        return parsedConditions(in: bytes)
    }

    @inline(never)
    private func parsedConditions(in bytes: Span<UInt8>) -> RequestConditions? {
        RequestConditions(method: bytes.text(method)) { name in
            var value: String?
            for field in fields where FieldName.matches(field.name, of: bytes, name) {
                value = (value.map { $0 + ", " } ?? "") + bytes.text(field.value)
            }
            return value
        }
    }
}

extension Responder {
    /// Returns the reply of a fixture to a request with conditions; nil if they do not change it.
    func conditional(
        _ played: JournalRing.Answer,
        of answers: EncodedAnswers,
        _ delay: ReplyDelay,
        to request: IncomingRequest
    ) -> Reply? {
        let whole = answers.plans[played.fixture]
        guard let conditions = request.head.conditions(in: request.bytes), let plan = whole.answering(conditions),
            let selected = plan.head
        else { return nil }
        var played = played
        played.status = selected.status
        // The entity tag of a file must not be sent for another version, even in an answer without content.
        let described = plan.files.isEmpty ? whole.files : []
        return .plan(plan, played, Reply.PlanTraits(delay: delay, isDated: true, describedFiles: described))
    }
}
