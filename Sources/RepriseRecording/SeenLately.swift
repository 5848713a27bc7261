// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseText

/// What a recorder has found out about what it saw lately, for a server is asked for the same things again and again.
struct SeenLately {
    /// The header lines without secrets.
    var lines: CleanHeaderLines
    private let redaction: Redaction
    private let removed: RemovedValues
    private var urls = [String?](repeating: nil, count: 64)
    private var bodies: [(type: HeaderLine?, redactor: BodyRedactor)] = []

    /// Of longer URLs there are few, and they would fill the memory.
    private static let longestURL = 1024
    /// A server has few types of content.
    private static let mostBodies = 8

    /// Nothing so far.
    ///
    /// - Parameter removed: what was taken out of the recording, to be taken out of bodies and added to.
    init(_ redaction: Redaction, _ removed: RemovedValues) {
        self.redaction = redaction
        self.removed = removed
        lines = CleanHeaderLines(redaction)
    }

    /// The URL without secrets.
    mutating func redacted(url: String) -> String {
        let slot = Int(UInt(bitPattern: url.hashValue) % UInt(urls.count))
        if urls[slot] == url { return url }
        let redacted = redaction.redacted(url: url)
        if redacted == url, url.utf8.count <= Self.longestURL { urls[slot] = url }
        return redacted
    }

    /// What takes the secrets out of a body that comes with these header lines.
    mutating func bodyRedactor(for headers: [HeaderLine]) -> BodyRedactor {
        // A coding is looked at each time, and so is what nobody should send.
        guard !headers.contains(where: { $0.hasName("Content-Encoding") }) else {
            return newBodyRedactor(for: headers)
        }
        let type = headers.first { $0.hasName("Content-Type") }
        if let known = bodies.first(where: { $0.type == type }) { return known.redactor }
        let redactor = newBodyRedactor(for: headers)
        if bodies.count == Self.mostBodies { bodies.removeFirst() }
        bodies.append((type, redactor))
        return redactor
    }

    private func newBodyRedactor(for headers: [HeaderLine]) -> BodyRedactor {
        BodyRedactor(redaction.rules, headers: headers, removed: removed)
    }
}
