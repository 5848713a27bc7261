// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// The failure of a test whose result depends on how responses are split into chunks, with the fewest cuts that cause
/// it.
public struct ChunkingFailure: Error, Sendable, CustomStringConvertible {
    /// The fewest cuts that cause the failure; empty if the test fails when each body arrives in one chunk.
    public let cuts: [Cut]
    /// The failure that these cuts cause.
    public let fault: Fault
    /// The chunking that caused the failure, if cuts alone did not reproduce it.
    private let chunking: String?

    /// A place at which a body was split.
    public struct Cut: Sendable, Hashable {
        /// The recorded request, such as `GET /chat`.
        public let request: String
        /// The source of the fixture.
        public let source: FixtureSource
        /// The content of the response.
        public let content: [UInt8]
        /// The byte offset of the cut.
        public let offset: Int
    }

    /// The way in which the test failed.
    public enum Fault: Sendable {
        /// The test threw an error.
        case thrown(any Error)
        /// The test returned a different value than with the recorded chunks.
        case different(expected: String, found: String)
        /// An expectation of the test failed.
        case recorded(String)
    }

    init(_ cuts: [Cut], _ fault: Fault) {
        self.cuts = cuts
        self.fault = fault
        chunking = nil
    }

    init(_ chunking: ChunkingTrial.Chunking, _ fault: Fault) {
        cuts = []
        self.fault = fault
        if case .same(let chunking) = chunking {
            self.chunking = ".\(chunking)"
        } else {
            self.chunking = "cuts in many places"
        }
    }

    /// The cuts with the bytes around them, the failure, and how to reproduce it.
    public var description: String {
        var lines = [headline]
        for cut in cuts.prefix(8) { lines += ["", "  \(cut.place)", "    \(cut.excerpt)"] }
        if cuts.count > 8 { lines += ["", "  … and \(cuts.count - 8) more"] }
        lines.append("")
        switch fault {
        case .thrown(let error): lines.append("It threw: \(shown("\(error)"))")
        case .recorded(let failure): lines.append("It failed: \(shown(failure))")
        case .different(let expected, let found):
            lines += ["Expected: \(shown(expected))", "Found:    \(shown(found))"]
        }
        lines += ["", "To reproduce it: ReplayingTransport(…, chunking: \(repetition))"]
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        if let chunking { return "The result depends on the chunks: the test fails with \(chunking)." }
        switch cuts.count {
        case 0: return "The result depends on the chunks: the test fails when each body arrives in one chunk."
        case 1: return "The result depends on the chunks: one cut makes it fail."
        default: return "The result depends on the chunks: these \(cuts.count) cuts together make it fail."
        }
    }

    private var repetition: String {
        if let chunking { return chunking }
        if cuts.isEmpty { return ".coalesced" }
        let offsets = Set(cuts.map(\.offset)).sorted()
        return ".cuts(\(offsets))"
    }
}

/// Returns what the code under test returned or threw, escaped and shortened for a failure message.
func shown(_ text: String) -> String { DisplayText.escaped(text, limit: 400) }

extension ChunkingFailure.Cut {
    /// A line such as `GET /chat (chat.cassette.json:12): after byte 17 of 42, inside a character`.
    fileprivate var place: String {
        var place = "\(request) (\(source)): after byte \(offset) of \(content.count)"
        let bytes = content[...]
        if 1..<content.count ~= offset {
            if ByteSeam.isInsideCharacter(bytes.span, offset) { place += ", inside a character" }
            if ByteSeam.isInsideLineEnd(bytes.span, offset) { place += ", between CR and LF" }
        }
        return place
    }

    /// The bytes before and after the cut.
    fileprivate var excerpt: String {
        let start = max(0, offset - 24)
        let end = min(content.count, offset + 24)
        let before = DisplayText.escaped(content[start..<offset])
        let after = DisplayText.escaped(content[offset..<end])
        return "\(start > 0 ? "…" : "")\(before) | \(after)\(end < content.count ? "…" : "")"
    }
}
