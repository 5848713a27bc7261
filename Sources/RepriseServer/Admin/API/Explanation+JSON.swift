// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseText

extension Explanation {
    /// The explanation as JSON: the answer, each candidate with a verdict for each field, and the explanation as text.
    func json(stubs: Stubs?) -> JSONTree {
        let answer: (kind: String, fixture: Int?) =
            switch outcome {
            case .answered(_, let turn): (turn.fixture == nil ? "sequence is used up" : "fixture", turn.fixture)
            case .answeredFromGet(_, let turn): ("fixture", turn.fixture)
            case .options: ("allowed methods", nil)
            case .miss: ("miss", nil)
            }
        let stub = stubs?.answering
        let isStub = stub != nil && (outcome == .miss || stubs?.isLate == false)
        let name = isStub ? stub : answer.fixture.map { "\(index.entries[$0].source)" }
        return .members([
            "request": .string(request),
            "answeredBy": .string(isStub ? "stub" : answer.kind),
            "answer": name.map { .string($0) },
            "fixtures": .array(candidates.map { json(of: $0) }),
            "stubs": .array(stubs?.nearest.map(\.json) ?? []),
            "text": .string(text(staticFile: nil, stubs: stubs)),
        ])
    }

    private func json(of candidate: Candidate) -> JSONTree {
        .members([
            "fixture": .string("\(index.entries[candidate.fixture].source)"),
            "standing": .string(candidate.standing.word),
            "fields": .list(
                candidate.verdicts.map { verdict in
                    RepriseAdmin.NearMiss.Condition(
                        field: verdict.field,
                        expected: verdict.expected,
                        found: verdict.found,
                        isMatch: verdict.isEqual
                    )
                }
            ),
        ])
    }
}

extension Explanation.Standing {
    fileprivate var word: String {
        switch self {
        case .inSequence(let place): "answer \(place) of the sequence"
        case .hidden: "matches, but another fixture takes precedence"
        case .different: "does not match"
        }
    }
}

extension NearStub {
    fileprivate var json: JSONTree {
        .members([
            "stub": .string(title), "source": .string("\(source)"), "distance": JSONTree(floatLiteral: distance),
            "remark": remark.map { .string($0) },
            "fields": .list(conditions.map(RepriseAdmin.NearMiss.Condition.init)),
        ])
    }
}
