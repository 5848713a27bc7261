// SPDX-License-Identifier: Apache-2.0

/// Knows at which path of a JSON text the next value stands, from the brackets, commas and keys before it.
struct JSONPathTracker: Sendable {
    private struct Frame {
        var isObject: Bool
        /// The path of the object or array.
        var path: Path
        /// The number of the element, in an array.
        var index = 0
        /// The path of the member, once its key is known.
        var member: Path?
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

    private var frames: [Frame] = []
    /// How many more are open than there are frames.
    private var deeper = 0

    /// Where the next value stands; `nil` where a key is due.
    var path: Path? {
        guard let frame = frames.last else { return Path() }
        return frame.isObject ? frame.member : frame.path.appending(UInt64(frame.index))
    }

    mutating func open(isObject: Bool) {
        guard frames.count < Self.maximumDepth else {
            deeper += 1
            return
        }
        frames.append(Frame(isObject: isObject, path: path ?? Path()))
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

    mutating func colon(after key: UInt64) {
        guard let last = frames.indices.last, deeper == 0 else { return }
        frames[last].member = frames[last].path.appending(~key)
    }
}

/// A string value of a JSON text.
struct JSONText: Sendable, Hashable {
    var path: JSONPathTracker.Path
    /// What is between the quotes, counted from the start of the body; up to where it was read, if it goes on.
    var range: Range<Int>
}
