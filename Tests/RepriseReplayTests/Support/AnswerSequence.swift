// SPDX-License-Identifier: Apache-2.0

import RepriseLocking

/// Returns the answers for each target in order, and then repeats the last one.
final class AnswerSequence: Sendable {
    private let answers: [String: [WireAnswer]]
    private let counts = Locked<[String: Int]>([:])

    init(_ answers: [String: [WireAnswer]]) {
        self.answers = answers
    }

    func next(_ target: String) -> WireAnswer {
        guard let list = answers[target], let last = list.last else {
            return WireAnswer("HTTP/1.1 404 Not Found", content: Array("nothing at \(target)".utf8))
        }
        let count = counts.withLock { counts in
            defer { counts[target, default: 0] += 1 }
            return counts[target, default: 0]
        }
        return count < list.count ? list[count] : last
    }
}
