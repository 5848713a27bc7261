// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The tables of patterns with masks. These patterns are also in the other tables as they are spelled. The tables
/// here are for requests that are spelled differently.
///
/// A request is looked up once for each mask: at most ``maximumMasks`` at a site, and ``maximumPathMasks`` for paths
/// with the same number of segments. Patterns whose masks exceed these limits, and the few patterns with the same key,
/// are compared one by one.
struct MaskTables: Sendable {
    /// The maximum number of masks of a site.
    static let maximumMasks = 32
    /// The maximum number of masks for paths with the same number of segments.
    static let maximumPathMasks = 64

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
        /// The kinds of bodies to which the masks apply, one bit each.
        var kinds: UInt8 = 0
        /// The locations of the JSON values that the masks omit from keys.
        var jsonLocations: Set<CanonicalForm.Name> = []
        /// Identities without a mask in `masks`, which are compared one by one.
        var further: [Candidate] = []
    }

    /// Adds a canonical path with masks. A path that does not start with a slash has no segments and is ignored.
    mutating func add(path: MaskedText, site: Int32) {
        guard let mask = PathMask(path), let key = mask.key(of: Array(path.bytes)) else { return }
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

    /// Adds an identity whose query, body, or header fields have masks.
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
            site.jsonLocations.formUnion(mask.jsonLocations)
            identities.append(identity, key: key, parent: maskCount)
            maskCount += 1
        } else {
            site.further.append(further)
        }
    }

    /// Returns the first sites of the paths with masks that match `path`, which must be canonical.
    func sites(matching path: Span<UInt8>) -> [Int32] {
        guard hasPaths else { return [] }
        var found: [Int32] = []
        let bytes = [UInt8](bytes: path)
        for numbered in pathMasks[PathMask.segmentCount(path)] ?? [] where path[0] == UInt8(ascii: "/") {
            guard let key = numbered.mask.key(of: bytes) else { continue }
            let isExact = numbered.mask.isExact
            for entry in paths.values(of: key, parent: numbered.number)
            where isExact || entry.pattern.matches(path: path) { found.append(entry.site) }
        }
        for entry in furtherPaths where entry.pattern.matches(path: path) { found.append(entry.site) }
        return found
    }

    /// Returns the kinds of bodies in use at a site, one bit each.
    func kinds(at site: Int32) -> UInt8 {
        sites[site]?.kinds ?? 0
    }

    /// Returns the identities of a site that may match a request.
    func candidates(at number: Int32, _ request: CanonicalRequest) -> [Candidate] {
        guard let site = sites[number] else { return [] }
        var found: [Candidate] = []
        let values = request.form(.json).map { CanonicalForm.json.pieces(of: $0, named: site.jsonLocations) } ?? []
        for numbered in site.masks {
            guard let key = numbered.mask.key(of: request, values) else { continue }
            let (isExact, comparesBody) = (numbered.mask.isExact, numbered.mask.comparesBody)
            for identity in identities.values(of: key, parent: numbered.number) {
                found.append(Candidate(identity: identity, isMatch: isExact, comparesBody: comparesBody))
            }
        }
        return found + site.further
    }

    /// An identity that may match a request.
    struct Candidate: Sendable {
        var identity: Int32
        /// Whether the identity is known to match. Otherwise it must be compared.
        var isMatch: Bool
        var comparesBody: Bool
    }
}

/// Groups of values in insertion order, found by key.
private struct MaskGroups<Value: Sendable>: Sendable {
    /// Maps a key to the number of its group.
    private var keys = KeyTable()
    private var groups: [[Value]] = []

    mutating func append(_ value: Value, key: [UInt8], parent: Int32) {
        let group = Int(keys.insert(key[...], parent: parent, value: Int32(groups.count)))
        if group == groups.count { groups.append([]) }
        groups[group].append(value)
    }

    func values(of key: [UInt8], parent: Int32) -> [Value] {
        keys.value(of: key.span, parent: parent).map { groups[Int($0)] } ?? []
    }
}

/// The segments of a path that have masks, and how much of each segment is literal.
struct PathMask: Sendable, Hashable {
    let segmentCount: Int
    private let places: MaskPlaces

    /// Whether a path with the same key always matches a pattern of this mask. Otherwise it must be compared.
    var isExact: Bool { places.isExact }

    /// Creates the mask of a canonical path. Returns `nil` if the path has no segments.
    init?(_ path: MaskedText) {
        guard path.bytes.first == UInt8(ascii: "/"), let places = MaskPlaces(path, .path) else { return nil }
        segmentCount = Self.segmentCount(path.bytes.span)
        self.places = places
    }

    /// Returns a path with as many segments without the parts that the mask omits, or `nil` if the path is too short
    /// for that.
    func key(of path: [UInt8]) -> [UInt8]? {
        var key: [UInt8] = []
        key.reserveCapacity(path.count)
        return places.append(path, to: &key) ? key : nil
    }

    static func segmentCount(_ path: Span<UInt8>) -> Int {
        var count = 0
        for index in path.indices where path[index] == UInt8(ascii: "/") { count += 1 }
        return count
    }
}
