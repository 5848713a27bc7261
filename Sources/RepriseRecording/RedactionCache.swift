// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseText

/// A cache of redaction results for recently seen URLs, header lines and content types. Servers receive similar
/// requests again and again.
struct RedactionCache {
    var lines: CleanHeaderLines
    private let redaction: Redaction
    private var urls = [String?](repeating: nil, count: slots)
    private var origin: [UInt8] = []
    private var paths = [(url: String, names: PathNames)?](repeating: nil, count: slots)
    private var bodies: [(type: HeaderLine?, path: PathNames, request: RequestValues?, redactor: BodyRedactor)] = []

    private static let slots = 64
    /// Longer URLs are rare and would use too much memory.
    private static let maximumURLLength = 1024
    /// The maximum number of cached redactors. Servers send few content types.
    private static let maximumRedactors = 8

    init(_ redaction: Redaction) {
        self.redaction = redaction
        lines = CleanHeaderLines(redaction)
    }

    mutating func redacted(url: String) -> String {
        let slot = Self.slot(of: url)
        if urls[slot] == url { return url }
        let redacted = redaction.redacted(url: url, knownOrigin: &origin)
        if redacted == url, url.utf8.count <= Self.maximumURLLength { urls[slot] = url }
        return redacted
    }

    /// Returns what the path of a URL says about values.
    private mutating func names(in url: String) -> PathNames {
        let slot = Self.slot(of: url)
        if let known = paths[slot], known.url == url { return known.names }
        let names = PathNames(url)
        if url.utf8.count <= Self.maximumURLLength { paths[slot] = (url, names) }
        return names
    }

    private static func slot(of url: String) -> Int {
        Int(UInt(bitPattern: url.hashValue) % UInt(slots))
    }

    /// Returns a redactor for a body with the given header lines, of a request or a response at the given URL.
    mutating func bodyRedactor(for headers: [HeaderLine], at url: String, isRequest: Bool) -> BodyRedactor {
        let path = names(in: url).names(inRequest: isRequest)
        let request = isRequest ? RequestValues(headers) : nil
        // Redactors of bodies with a Content-Encoding are not cached, because each needs its own check. So does one for
        // aws-chunked, which does not count among the content codings.
        guard !headers.contains(where: { $0.hasName("Content-Encoding") }) else {
            return redaction.bodyRedactor(for: headers, at: path, request: request)
        }
        let type = headers.first { $0.hasName("Content-Type") }
        if let known = bodies.first(where: { $0.type == type && $0.path == path && $0.request == request }) {
            return known.redactor
        }
        let redactor = redaction.bodyRedactor(for: headers, at: path, request: request)
        if bodies.count == Self.maximumRedactors { bodies.removeFirst() }
        bodies.append((type, path, request, redactor))
        return redactor
    }
}
