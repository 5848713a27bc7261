// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// A test that depends on the chunks in which a response comes, and the fewest cuts with which it fails.
public struct ChunkingFailure: Error, Sendable, CustomStringConvertible {
    /// The fewest cuts; none if it fails when each body comes in one chunk.
    public let cuts: [Cut]
    /// What went wrong with them.
    public let fault: Fault
    /// In which chunks it failed, where fewer cuts could not be tried.
    private let chunking: String?

    /// Where a body was cut.
    public struct Cut: Sendable, Hashable {
        /// The recorded request, such as `GET /chat`.
        public let request: String
        /// Where its fixture was written.
        public let source: FixtureSource
        /// The content of the response.
        public let content: [UInt8]
        /// Behind how many bytes it was cut.
        public let offset: Int
    }

    /// What went wrong.
    public enum Fault: Sendable {
        /// The test threw.
        case thrown(any Error)
        /// The test returned something else than for the recorded chunks.
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

    /// The cuts with what is around them, what went wrong, and how to see it again.
    public var description: String {
        var lines = [headline]
        for cut in cuts.prefix(8) { lines += ["", "  \(cut.place)", "    \(cut.excerpt)"] }
        if cuts.count > 8 { lines += ["", "  … and \(cuts.count - 8) more"] }
        lines.append("")
        switch fault {
        case .thrown(let error): lines.append("It threw: \(Self.shown("\(error)"))")
        case .recorded(let failure): lines.append("It failed: \(Self.shown(failure))")
        case .different(let expected, let found):
            lines += ["Expected: \(Self.shown(expected))", "Found:    \(Self.shown(found))"]
        }
        return (lines + ["", "To see it again: ReplayingTransport(…, chunking: \(repetition))"]).joined(separator: "\n")
    }

    private var headline: String {
        if let chunking { return "The result depends on the chunks: it fails with \(chunking)." }
        switch cuts.count {
        case 0: return "The result depends on the chunks: it fails when each body comes in one."
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

    private static func shown(_ text: String) -> String {
        DisplayText.escaped(text, limit: 400)
    }
}

extension ChunkingFailure.Cut {
    /// `GET /chat (chat.cassette.json:12): after byte 17 of 42, inside a character`.
    fileprivate var place: String {
        var place = "\(request) (\(source)): after byte \(offset) of \(content.count)"
        let bytes = content[...]
        if 1..<content.count ~= offset {
            if ByteSeam.isInsideCharacter(bytes.span, offset) { place += ", inside a character" }
            if ByteSeam.isInsideLineEnd(bytes.span, offset) { place += ", between CR and LF" }
        }
        return place
    }

    /// What is before and behind the cut.
    fileprivate var excerpt: String {
        let start = max(0, offset - 24)
        let end = min(content.count, offset + 24)
        let before = DisplayText.escaped(content[start..<offset])
        let after = DisplayText.escaped(content[offset..<end])
        return "\(start > 0 ? "…" : "")\(before) | \(after)\(end < content.count ? "…" : "")"
    }
}
