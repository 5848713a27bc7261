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
    /// Returns the answer of a fixture to a request with conditions; nil if they do not change it.
    func conditional(
        _ played: JournalRing.Answer,
        of answers: ServedAnswers,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        to client: PlanSerializer.Client,
        date: () -> [UInt8]
    ) -> Answer? {
        let whole = answers.plans[played.fixture]
        guard let conditions = head.conditions(in: bytes), let plan = whole.answering(conditions),
            let selected = plan.head
        else { return nil }
        var played = played
        played.status = selected.status
        var script = serializer.script(for: plan, to: client, date: date())
        if script.files.isEmpty { script.files = whole.versionedFiles }
        return .script(script, played)
    }
}
