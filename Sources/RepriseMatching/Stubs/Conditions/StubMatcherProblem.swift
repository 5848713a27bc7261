// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The reason that a condition of a stub cannot be used, or does not work as in WireMock.
package struct StubMatcherProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place in the stub mapping (RFC 6901), such as `/request/urlPattern`.
    package var pointer: String
    /// What was expected, what was found, and what to do.
    package var message: String

    package var description: String { "\(pointer): \(message)" }
}

/// The place of a condition in a stub mapping (RFC 6901).
struct StubPointer {
    let text: String

    /// The place of the request's conditions.
    static let request = StubPointer(text: "/request")

    /// Returns the place of a member.
    func member(_ name: String) -> StubPointer { StubPointer(text: "\(text)/\(pointerPart(name))") }

    /// Returns the place of an element.
    func element(_ index: Int) -> StubPointer { StubPointer(text: "\(text)/\(index)") }

    /// Returns a problem at this place.
    func problem(_ message: String) -> StubMatcherProblem { StubMatcherProblem(pointer: text, message: message) }
}
