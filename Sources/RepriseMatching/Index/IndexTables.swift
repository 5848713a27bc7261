// SPDX-License-Identifier: Apache-2.0

/// The flat tables that requests are looked up in.
///
/// A request goes from its path to a site (path and method), from there to a query group (and query), a body group (and
/// body) and an identity (and the headers asked for). Each step is one look-up in a hash table, so 100,000 fixtures
/// that differ in one of them alone are found as fast as ten. Numbers are -1 for "none".
///
/// Fields that are not compared need a step of their own: one more table for each set of such fields that occurs.
struct IndexTables: Sendable {
    var methods = KeyTable()
    /// From a canonical path to its first site.
    var paths: KeyTable
    var sites: [Site] = []
    /// From a site and a canonical query, not the empty one, to a query group.
    var queries: KeyTable
    var queryGroups: [QueryGroup] = []
    /// From a query group with a kind of body, and the canonical body, to a body group.
    var bodies = KeyTable()
    /// The kinds of bodies that occur, one bit each.
    var kinds: UInt8 = 0
    var bodyGroupCount: Int32 = 0
    /// From a body group and the values of the headers asked for to an identity. If none are asked for, it is empty, and
    /// a body group is an identity.
    var headers = KeyTable()
    var identities: [Identity] = []
    /// From an identity and a host to a host group.
    var hosts = KeyTable()
    var hostGroups: [HostGroup] = []
    var trie: PathTrie
    /// Where the patterns with masks are found.
    var masks = MaskTables()
    /// The identities of the sites that have many, in order of their queries and bodies.
    var orderedIdentities = OrderedGroups()

    /// The numbers of the methods that mean something here.
    enum Method {
        static let get: Int32 = 0
        static let head: Int32 = 1
        static let options: Int32 = 2
    }

    // What stands for any method or path, where they are not compared: so looser matching is the same look-up.
    static let anyMethod = Array("GET".utf8)
    static let anyPath = Array("/".utf8)

    /// A path and a method.
    struct Site {
        var method: Int32
        /// The next site of the same path.
        var next: Int32 = -1
        /// The sequence for a request without query and body, where nothing else can matter; -1 if more must be looked
        /// at. It saves the most usual request half of its cache misses.
        var plain: Int32 = -1
        /// The query group without a query.
        var plainQuery: Int32 = -1
        var hasQueries = false
        var comparesBody = false
        /// Whether patterns have masks in anything but the path.
        var hasMasks = false
        /// The identity of the literal route.
        var route: Int32 = -1
        var firstIdentity: Int32 = -1
        var lastIdentity: Int32 = -1
        var identityCount: Int32 = 0
        /// The group of its identities in `orderedIdentities`; -1 if it has few.
        var order: Int32 = -1
    }

    /// A site and a query.
    struct QueryGroup {
        /// The body group without a body.
        var noBody: Int32 = -1
        /// The body group of those that do not compare bodies.
        var anyBody: Int32 = -1
        /// One bit for each ``BodyPattern/Kind`` that occurs.
        var kinds: UInt8 = 0

        func has(_ kind: BodyPattern.Kind) -> Bool { kinds >> UInt8(kind.rawValue) & 1 == 1 }
    }

    /// What makes requests the same.
    struct Identity {
        /// The first and the last fixture.
        var first: Int32 = -1
        var last: Int32 = -1
        /// The group of the fixtures that know no host.
        var hostless: Int32 = -1
        var hostGroupCount: Int32 = 0
        /// The next identity of the same site.
        var next: Int32 = -1
    }

    /// The fixtures of one identity and one host, or none.
    struct HostGroup {
        var identity: Int32
        var first: Int32 = -1
        var last: Int32 = -1
        /// Its sequence: that of the identity if there is no other group.
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

    /// The number of `method`, a new one if it is unknown.
    mutating func number(ofMethod method: [UInt8]) -> Int32 {
        methods.insert(method[...], value: Int32(methods.count))
    }

    /// The site of a method at the path whose first site is `first`; -1 if there is none.
    @inline(__always)
    func site(of method: Int32, from first: Int32) -> Int32 {
        var site = first
        while site >= 0, sites[Int(site)].method != method { site = sites[Int(site)].next }
        return site
    }

    /// The name space of a query group's bodies of one kind.
    static func bodyParent(_ group: Int32, _ kind: BodyPattern.Kind) -> Int32 {
        group &* 4 &+ Int32(kind.rawValue)
    }
}
