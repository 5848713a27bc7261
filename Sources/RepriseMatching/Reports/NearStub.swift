// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// A stub that almost answers a request, and what keeps it from answering.
package struct NearStub: Sendable, Hashable {
    /// The stub, such as `'a user': GET /users/{id}`.
    package var title: String
    /// The place where the stub is defined.
    package var source: FixtureSource
    /// From 0, a match, to 1, nothing in common.
    package var distance: Double
    /// Whether the target of the request resembles the stub's. Other stubs are not worth showing next to fixtures.
    package var hasSimilarTarget: Bool
    /// Further information, such as the state of a scenario; `nil` if there is none.
    package var remark: String?
    /// The conditions, including those that the request satisfies.
    package var conditions: [StubVerdict]

    /// Creates a near miss.
    package init(
        title: String,
        source: FixtureSource,
        distance: Double,
        hasSimilarTarget: Bool = true,
        remark: String? = nil,
        conditions: [StubVerdict] = []
    ) {
        self.title = title
        self.source = source
        self.distance = distance
        self.hasSimilarTarget = hasSimilarTarget
        self.remark = remark
        self.conditions = conditions
    }

    /// The conditions that the request does not satisfy.
    package var differences: [StubVerdict] { conditions.filter { !$0.isMatch } }

    /// The stub as lines of text: its title and source, the remark, and the differences.
    package var lines: [String] {
        [heading] + (remark.map { ["  " + DisplayText.escaped($0)] } ?? []) + differences.map { "  \($0)" }
    }

    /// The same with every condition, those that the request satisfies marked `=` and the others `x`.
    package var completeLines: [String] {
        [heading] + (remark.map { ["  " + DisplayText.escaped($0)] } ?? [])
            + conditions.map { "  \($0.isMatch ? "=" : "x") \($0)" }
    }

    /// The stub as a part of a sentence.
    var sentence: String {
        let reasons = (remark.map { [$0] } ?? []) + differences.map(\.description)
        return reasons.isEmpty ? heading : "\(heading): \(reasons.joined(separator: "; "))"
    }

    private var heading: String {
        ReportWriter.text { text in
            text.append(value: title, limit: 240)
            text.append(" (")
            text.append(source)
            text.append(")")
        }
    }
}
