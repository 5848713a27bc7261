// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers

/// An answer that the journal keeps because it cannot be reproduced later: a template produced it for one request, or
/// another server sent it. Immutable.
final class KeptAnswer: Sendable {
    let head: ResponseHead
    /// The content without chunked coding; nil if it was too long, or did not arrive in full.
    let content: [UInt8]?

    init(head: ResponseHead, content: [UInt8]?) {
        self.head = head
        self.content = content
    }

    /// The number of bytes that count toward the limit of the journal.
    var byteCount: Int { head.headers.reduce(content?.count ?? 0) { $0 + $1.bytes.count } }

    var withoutContent: KeptAnswer { KeptAnswer(head: head, content: nil) }
}

extension KeptAnswer: Hashable {
    static func == (one: KeptAnswer, other: KeptAnswer) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
