// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseStubs
internal import RepriseText

/// A complete request to the admin API that has passed the access check.
struct AdminRequest: Sendable {
    var method: String
    /// The segments of the path below `/__admin`, decoded.
    var path: [String]
    var query: [(name: String, value: String)]
    /// Whether the path is `/__admin` itself, without a slash at its end.
    let isBare: Bool
    var content: [UInt8]
    /// The value of the Accept field; nil if there is none.
    var accept: String?
    /// The session that the request applies to; nil for the server itself.
    var session: SessionID?

    /// - Parameter target: The path and query below `/__admin`.
    init(method: String, target: String, content: [UInt8] = [], session: SessionID? = nil) {
        self.method = method
        self.content = content
        self.session = session
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        isBare = parts[0].isEmpty
        path = parts[0].split(separator: "/").map { PercentEscape.decoded($0) }
        // A plus sign is not decoded as a space, because it occurs in the time zones of dates.
        query = FormText.pairs((parts.count > 1 ? parts[1] : "").utf8).map {
            (PercentEscape.decoded(Substring($0.name)), PercentEscape.decoded(Substring($0.value)))
        }
    }

    /// Whether the answer may have members that WireMock does not have.
    var isDetailed: Bool { path.first == "reprise" }

    // MARK: Parameters

    func parameter(_ name: String) -> String? {
        query.last { $0.name == name }?.value
    }

    func count(_ name: String) throws(AdminFailure) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let count = Int(text), count >= 0 else {
            throw .invalidParameter(name, "expected an integer of at least 0, found '\(shown(text))'")
        }
        return count
    }

    // MARK: Content

    func json() throws(AdminFailure) -> JSONTree {
        guard !content.isEmpty else {
            throw .unreadable("", "expected JSON, found no content; send it as the body of the request")
        }
        do throws(JSONError) { return try JSONTree(parsing: content) } catch {
            throw .unreadable("", "expected JSON, found a mistake at byte \(error.offset): \(error.message)")
        }
    }

    func model<Model: AdminModel>(_: Model.Type) throws(AdminFailure) -> Model {
        let json = try json()
        do throws(AdminModelError) { return try Model(json: json) } catch { throw AdminFailure(error) }
    }

    /// The content as a stub mapping, with the same leniency as in files.
    func mapping() throws(AdminFailure) -> StubMapping {
        guard !content.isEmpty else { throw .unreadable("", "expected a stub mapping, found no content") }
        do throws(StubProblems) { return try StubMappingReader.read(mapping: content) } catch {
            throw AdminFailure(error)
        }
    }

    func pattern() throws(AdminFailure) -> StubRequest {
        guard !content.isEmpty else {
            throw .unreadable("", "expected a request pattern, found no content; send {} for all requests")
        }
        do throws(StubProblems) { return try StubMappingReader.read(request: content) } catch {
            throw AdminFailure(error)
        }
    }
}

/// Returns text from a client in a form that is safe in a message.
func shown(_ text: String) -> String { DisplayText.escaped(text, limit: 100) }
