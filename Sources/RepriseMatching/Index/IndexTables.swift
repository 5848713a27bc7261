// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The flat tables used to look up requests.
///
/// A lookup goes from the path to a site (path and method), then to a query group (and query), a body group (and body),
/// and an identity (and the compared header fields). Each step is one hash table lookup, so 100,000 fixtures that
/// differ in only one of these are found as fast as ten. The number -1 means "none".
///
/// A field that the options do not compare has the same value in every pattern and request, so the steps are the same.
struct IndexTables: Sendable {
    var methods = KeyTable()
    /// Maps a canonical path to its first site.
    var paths: KeyTable
    var sites: [Site] = []
    /// Maps a site and a nonempty canonical query to a query group.
    var queries: KeyTable
    var queryGroups: [QueryGroup] = []
    /// Maps a query group with a kind of body, and the canonical body, to a body group.
    var bodies = KeyTable()
    /// The kinds of bodies in use, one bit each.
    var kinds: UInt8 = 0
    var bodyGroupCount: Int32 = 0
    /// Maps a body group and the values of the compared header fields to an identity. If no header fields are compared,
    /// the table is empty and a body group is an identity.
    var headers = KeyTable()
    var identities: [Identity] = []
    /// Maps an identity and a host to a host group.
    var hosts = KeyTable()
    /// All recorded hosts.
    var hostNames = KeyTable()
    /// Whether a request's host can decide more than which of several equal recordings answers it.
    var comparesHosts = false
    var hostGroups: [HostGroup] = []
    /// The parts of sequences in which answers require a range or a condition.
    var selectedParts: [SelectedParts] = []
    var trie: PathTrie
    /// The tables of patterns with masks.
    var masks = MaskTables()
    /// The sorted identities of sites that have many, by query and body.
    var orderedIdentities = OrderedGroups()

    /// The numbers of methods with a special meaning.
    enum Method {
        static let get: Int32 = 0
        static let head: Int32 = 1
        static let options: Int32 = 2
    }

    // Placeholders for any method and any path, used if these are not compared. The lookup is then the same.
    static let anyMethod = Array("GET".utf8)
    static let anyPath = Array("/".utf8)

    /// A path and a method.
    struct Site {
        var method: Int32
        /// The next site of the same path.
        var next: Int32 = -1
        /// The sequence for a request without query and body if nothing else can influence the match; -1 if more must
        /// be checked. This saves the most common requests half of their cache misses.
        var plain: Int32 = -1
        /// The query group for requests without a query.
        var plainQuery: Int32 = -1
        var hasQueries = false
        var comparesBody = false
        /// Whether patterns have masks in any part other than the path.
        var hasMasks = false
        /// The identity of the literal route.
        var route: Int32 = -1
        var firstIdentity: Int32 = -1
        var lastIdentity: Int32 = -1
        var identityCount: Int32 = 0
        /// The group of this site's identities in `orderedIdentities`; -1 if the site has few.
        var order: Int32 = -1
    }

    /// A site with a query.
    struct QueryGroup {
        /// The body group for requests without a body.
        var noBody: Int32 = -1
        /// The body group of fixtures that do not compare bodies.
        var anyBody: Int32 = -1
        /// The kinds of bodies in use, one bit for each ``BodyPattern/Kind``.
        var kinds: UInt8 = 0

        func has(_ kind: BodyPattern.Kind) -> Bool { kinds >> UInt8(kind.rawValue) & 1 == 1 }
    }

    /// A group of fixtures whose patterns are equal in everything that is compared except the host.
    struct Identity {
        /// The first and the last fixture.
        var first: Int32 = -1
        var last: Int32 = -1
        /// The group of fixtures without a host.
        var hostless: Int32 = -1
        var hostGroupCount: Int32 = 0
        /// Whether the fixtures are recordings of several hosts.
        var hasSeveralHosts: Bool { hostGroupCount - (hostless < 0 ? 0 : 1) > 1 }
        /// The next identity of the same site.
        var next: Int32 = -1
    }

    /// The fixtures with the same identity and the same host, or without a host.
    struct HostGroup {
        var identity: Int32
        var first: Int32 = -1
        var last: Int32 = -1
        /// The sequence of this group. If it is the only group, this is the identity's sequence.
        var sequence: Int32 = -1
    }

    init(capacity: Int) {
        paths = KeyTable(capacity: capacity)
        queries = KeyTable()
        trie = PathTrie(capacity: capacity)
        sites.reserveCapacity(capacity)
        identities.reserveCapacity(capacity)
        for method in ["GET", "HEAD", "OPTIONS"] { _ = number(ofMethod: Array(method.utf8)) }
    }

    /// Returns the number of `method`, adding the method if it is unknown.
    mutating func number(ofMethod method: [UInt8]) -> Int32 {
        methods.insert(method[...], value: Int32(methods.count))
    }

    /// Returns the site of a method at the path whose first site is `first`, or -1 if the path does not have this
    /// method.
    @inline(__always)
    func site(of method: Int32, from first: Int32) -> Int32 {
        var site = first
        while site >= 0, sites[Int(site)].method != method { site = sites[Int(site)].next }
        return site
    }

    /// Returns the namespace for bodies of one kind in a query group.
    static func bodyParent(_ group: Int32, _ kind: BodyPattern.Kind) -> Int32 {
        group &* 4 &+ Int32(kind.rawValue)
    }
}
