// SPDX-License-Identifier: Apache-2.0

/// Tracks the path of the next value in a JSON text from the preceding brackets, commas and keys.
struct JSONPathTracker: Sendable {
    private struct Frame {
        var isObject: Bool
        /// The path of the object or array.
        var path: Path
        /// The patterns that match the path.
        var matches: JSONPathMatches
        /// The index of the current element of an array.
        var index = 0
        /// The path of the member after its key was read, with the matching patterns.
        var member: Path?
        var memberMatches: JSONPathMatches
    }

    /// A path, represented by a hash.
    struct Path: Sendable, Hashable {
        fileprivate var hash: UInt64 = 0x9E37_79B9_7F4A_7C15

        fileprivate func appending(_ value: UInt64) -> Path {
            var hash = (self.hash ^ value) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 33
            return Path(hash: hash &* 0xC4CE_B9FE_1A85_EC53)
        }
    }

    /// The maximum depth. All deeper values share one path.
    private static let maximumDepth = 512

    private let patterns: [JSONPathPattern]
    private var frames: [Frame] = []
    /// The number of open containers beyond those in the frames.
    private var deeper = 0

    /// Creates a tracker for `patterns`.
    init(_ patterns: [JSONPathPattern] = []) {
        self.patterns = patterns
    }

    /// Restarts the tracker for another text.
    mutating func restart() {
        frames.removeAll(keepingCapacity: true)
        deeper = 0
    }

    /// The path of the next value, or `nil` if a key is next.
    var path: Path? {
        guard let frame = frames.last else { return Path() }
        return frame.isObject ? frame.member : frame.path.appending(UInt64(frame.index))
    }

    /// The marker that replaces the next value if it is a string, or `nil` if no pattern matches.
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

    /// Whether the tracker needs the text of the next key.
    var needsKey: Bool { !patterns.isEmpty && deeper == 0 && frames.last?.matches.isEmpty == false }

    /// Handles the colon after a key.
    ///
    /// - Parameters:
    ///   - key: A hash of the key.
    ///   - text: The key without escapes, if the tracker ``needsKey``.
    mutating func colon(after key: UInt64, text: [UInt8]) {
        guard let last = frames.indices.last, deeper == 0 else { return }
        frames[last].member = frames[last].path.appending(~key)
        if needsKey { frames[last].memberMatches = frames[last].matches.member(text, at: last, of: patterns) }
    }
}

/// A string value of a JSON text.
struct JSONStringValue: Sendable, Hashable {
    var path: JSONPathTracker.Path
    /// The range between the quotes, counted from the start of the body. If the string has not ended, the part that
    /// was read.
    var range: Range<Int>
}
