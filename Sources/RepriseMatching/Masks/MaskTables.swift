// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The tables of the patterns that have masks. All these patterns are in the other tables too, as they are
/// spelled, so this is for requests that are not spelled so.
///
/// A request is looked up once for each mask: at most ``maximumMasks`` at a site, and ``maximumPathMasks`` of paths with
/// its number of segments. Patterns with further masks, and the few with one key, are compared one by one.
struct MaskTables: Sendable {
    /// How many masks a site has.
    static let maximumMasks = 32
    /// How many masks the paths of one number of segments have.
    static let maximumPathMasks = 64

    /// Whether there are paths with masks.
    private(set) var hasPaths = false
    private var pathMasks: [Int: [NumberedMask<PathMask>]] = [:]
    private var furtherPaths: [Path] = []
    private var paths = MaskGroups<Path>()

    private var sites: [Int32: Site] = [:]
    private var identities = MaskGroups<Int32>()
    private var maskCount: Int32 = 0

    /// A path with masks and its first site.
    struct Path: Sendable {
        var pattern: MaskedText
        var site: Int32
    }

    private struct NumberedMask<Mask: Sendable & Hashable>: Sendable {
        var mask: Mask
        var number: Int32
    }

    private struct Site: Sendable {
        var masks: [NumberedMask<RequestMask>] = []
        /// The kinds of bodies that the masks are for, one bit each.
        var kinds: UInt8 = 0
        /// The ways to the JSON strings that the masks leave out.
        var jsonWays: Set<[UInt8]> = []
        /// Identities without a mask.
        var further: [Candidate] = []
    }

    /// Adds a canonical path with masks. One that does not start with a slash has no segments, and is left out.
    mutating func add(path: MaskedText, site: Int32) {
        guard let mask = PathMask(path), let key = mask.key(of: path.bytes.span) else { return }
        hasPaths = true
        let entry = Path(pattern: path, site: site)
        let masks = pathMasks[mask.segmentCount, default: []]
        if let known = masks.first(where: { $0.mask == mask }) {
            paths.append(entry, key: key, parent: known.number)
        } else if masks.count < Self.maximumPathMasks {
            pathMasks[mask.segmentCount, default: []].append(NumberedMask(mask: mask, number: maskCount))
            paths.append(entry, key: key, parent: maskCount)
            maskCount += 1
        } else {
            furtherPaths.append(entry)
        }
    }

    /// Adds an identity whose query, body or headers have masks.
    mutating func add(_ identity: Int32, _ pattern: RequestPattern, site number: Int32, _ options: MatchingOptions) {
        var site = sites[number] ?? Site()
        defer { sites[number] = site }
        if case .equal(let kind, _) = pattern.body { site.kinds |= 1 << UInt8(kind.rawValue) }
        let comparesBody = options.fields.contains(.body) && pattern.body.isCompared
        let further = Candidate(identity: identity, isMatch: false, comparesBody: comparesBody)
        guard let mask = RequestMask(pattern, options), let key = mask.key(of: pattern, options) else {
            site.further.append(further)
            return
        }
        if let known = site.masks.first(where: { $0.mask == mask }) {
            identities.append(identity, key: key, parent: known.number)
        } else if site.masks.count < Self.maximumMasks {
            site.masks.append(NumberedMask(mask: mask, number: maskCount))
            site.jsonWays.formUnion(mask.jsonWays)
            identities.append(identity, key: key, parent: maskCount)
            maskCount += 1
        } else {
            site.further.append(further)
        }
    }

    /// The first sites of the paths with masks that `path`, which is canonical, fits.
    func sites(matching path: Span<UInt8>) -> [Int32] {
        guard hasPaths else { return [] }
        var found: [Int32] = []
        for numbered in pathMasks[PathMask.segmentCount(path)] ?? [] {
            guard let key = numbered.mask.key(of: path) else { continue }
            let isExact = numbered.mask.isExact
            paths.forEach(of: key, parent: numbered.number) { entry in
                if isExact || entry.pattern.matches(path: path) { found.append(entry.site) }
            }
        }
        for entry in furtherPaths where entry.pattern.matches(path: path) { found.append(entry.site) }
        return found
    }

    /// The kinds of bodies that occur at a site, one bit each.
    func kinds(at site: Int32) -> UInt8 {
        sites[site]?.kinds ?? 0
    }

    /// The identities of a site that a request may match.
    func candidates(at number: Int32, _ request: CanonicalRequest) -> [Candidate] {
        guard let site = sites[number] else { return [] }
        var found: [Candidate] = []
        let strings = request.form(.json).map { JSONStrings.ranges(of: site.jsonWays, in: $0) } ?? [:]
        for numbered in site.masks {
            guard let key = numbered.mask.key(of: request, strings) else { continue }
            let (isExact, comparesBody) = (numbered.mask.isExact, numbered.mask.comparesBody)
            identities.forEach(of: key, parent: numbered.number) { identity in
                found.append(Candidate(identity: identity, isMatch: isExact, comparesBody: comparesBody))
            }
        }
        return found + site.further
    }

    /// An identity that a request may match.
    struct Candidate: Sendable {
        var identity: Int32
        /// Whether it is known to match; else it is to be compared.
        var isMatch: Bool
        /// Whether bodies are compared.
        var comparesBody: Bool
    }
}

/// Values in groups, each in the order in which they came, found by the keys of the groups.
private struct MaskGroups<Value: Sendable>: Sendable {
    /// From a key to the first entry of its group.
    private var keys = KeyTable()
    private var entries: [Entry] = []
    /// The last entries of the groups that have several, by the first.
    private var last: [Int32: Int32] = [:]

    private struct Entry {
        var value: Value
        /// The next entry of the group; -1 for none.
        var next: Int32 = -1
    }

    mutating func append(_ value: Value, key: [UInt8], parent: Int32) {
        let new = Int32(entries.count)
        let first = keys.insert(key[...], parent: parent, value: new)
        entries.append(Entry(value: value))
        guard first != new else { return }
        entries[Int(last[first] ?? first)].next = new
        last[first] = new
    }

    func forEach(of key: [UInt8], parent: Int32, _ body: (Value) -> Void) {
        var entry = keys.value(of: key.span, parent: parent) ?? -1
        while entry >= 0 {
            body(entries[Int(entry)].value)
            entry = entries[Int(entry)].next
        }
    }
}

/// The segments of a path that have masks, and how much of each is spelled out.
struct PathMask: Sendable, Hashable {
    /// How many segments the path has.
    let segmentCount: Int
    private var places: [Place] = []

    private struct Place: Sendable, Hashable {
        var segment: Int
        var mask: ValueMask
    }

    /// Whether paths match a pattern of this mask that have its key; else they are to be compared.
    var isExact: Bool { places.allSatisfy(\.mask.isExact) }

    /// The mask of a canonical path; `nil` if it has no segments.
    init?(_ path: MaskedText) {
        guard path.bytes.first == UInt8(ascii: "/") else { return nil }
        let segments = path.segments
        segmentCount = segments.count
        for (index, segment) in segments.enumerated() {
            if let mask = ValueMask(segment) { places.append(Place(segment: index, mask: mask)) }
        }
    }

    /// `path` without what the mask leaves out; `nil` if that cannot be left out.
    func key(of path: Span<UInt8>) -> [UInt8]? {
        var key: [UInt8] = []
        key.reserveCapacity(path.count)
        var place = 0
        var end = 0
        for segment in 0..<segmentCount {
            let start = end + 1
            guard start <= path.count else { return nil }
            end = PathTrie.endOfSegment(in: path, from: start)
            let bytes = [UInt8](bytes: path.extracting(start..<end))
            key.append(UInt8(ascii: "/"))
            if place < places.count, places[place].segment == segment {
                // No mask stands for an empty segment.
                guard !bytes.isEmpty, places[place].mask.append(bytes[...], to: &key) else { return nil }
                place += 1
            } else {
                key.append(contentsOf: bytes)
            }
        }
        return key
    }

    /// How many segments a path has.
    static func segmentCount(_ path: Span<UInt8>) -> Int {
        var count = 0
        for index in path.indices where path[index] == UInt8(ascii: "/") { count += 1 }
        return count
    }
}
