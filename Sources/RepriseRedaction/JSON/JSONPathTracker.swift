// SPDX-License-Identifier: Apache-2.0

/// Knows at which path of a JSON text the next value stands, from the brackets, commas and keys before it.
struct JSONPathTracker: Sendable {
    private struct Frame {
        var isObject: Bool
        /// The path of the object or array.
        var path: Path
        /// The patterns that fit it.
        var matches: JSONPathMatches
        /// The number of the element, in an array.
        var index = 0
        /// The path of the member, once its key is known, and the patterns that fit it.
        var member: Path?
        var memberMatches: JSONPathMatches
    }

    /// A path, as a number that others hardly have.
    struct Path: Sendable, Hashable {
        fileprivate var hash: UInt64 = 0x9E37_79B9_7F4A_7C15

        fileprivate func appending(_ value: UInt64) -> Path {
            var hash = (self.hash ^ value) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 33
            return Path(hash: hash &* 0xC4CE_B9FE_1A85_EC53)
        }
    }

    /// Deeper down all values stand at the same path.
    private static let maximumDepth = 512

    private let patterns: [JSONPathPattern]
    private var frames: [Frame] = []
    /// How many more are open than there are frames.
    private var deeper = 0

    /// A tracker that looks for `patterns`.
    init(_ patterns: [JSONPathPattern] = []) {
        self.patterns = patterns
    }

    /// Starts another text.
    mutating func restart() {
        frames.removeAll(keepingCapacity: true)
        deeper = 0
    }

    /// Where the next value stands; `nil` where a key is due.
    var path: Path? {
        guard let frame = frames.last else { return Path() }
        return frame.isObject ? frame.member : frame.path.appending(UInt64(frame.index))
    }

    /// What comes in the place of the next value if it is a string; `nil` if no pattern ends there.
    var marker: Int? {
        guard !patterns.isEmpty, deeper == 0 else { return nil }
        return matches.marker(at: frames.count, of: patterns)
    }

    private var matches: JSONPathMatches {
        guard let frame = frames.last else { return JSONPathMatches(of: patterns) }
        return frame.isObject
            ? frame.memberMatches : frame.matches.element(frame.index, at: frames.count - 1, of: patterns)
    }

    mutating func open(isObject: Bool) {
        guard frames.count < Self.maximumDepth else {
            deeper += 1
            return
        }
        let matches = matches
        frames.append(Frame(isObject: isObject, path: path ?? Path(), matches: matches, memberMatches: matches))
    }

    mutating func close() {
        if deeper > 0 {
            deeper -= 1
        } else if !frames.isEmpty {
            frames.removeLast()
        }
    }

    mutating func comma() {
        guard let last = frames.indices.last, deeper == 0 else { return }
        frames[last].index += 1
        frames[last].member = nil
    }

    /// Whether the text of a key matters here.
    var needsKey: Bool { !patterns.isEmpty && deeper == 0 && frames.last?.matches.isEmpty == false }

    /// A colon comes behind a key.
    ///
    /// - Parameters:
    ///   - key: a number that other keys hardly have.
    ///   - text: the key without escapes, if the tracker ``needsKey``.
    mutating func colon(after key: UInt64, text: [UInt8]) {
        guard let last = frames.indices.last, deeper == 0 else { return }
        frames[last].member = frames[last].path.appending(~key)
        if needsKey { frames[last].memberMatches = frames[last].matches.member(text, at: last, of: patterns) }
    }
}

/// A string value of a JSON text.
struct JSONStringValue: Sendable, Hashable {
    var path: JSONPathTracker.Path
    /// What is between the quotes, counted from the start of the body; up to where it was read, if it goes on.
    var range: Range<Int>
}
