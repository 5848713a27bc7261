// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// The status of a healthy server.
public struct ServerHealth: AdminShape {
    /// The version of the server.
    public var version: String
    /// The seconds since the server started.
    public var uptime: Int
    /// The time of the answer, in milliseconds since the start of 1970.
    public var time: Int

    /// Creates the status of a healthy server.
    public init(version: String, uptime: Int, time: Int) {
        self.version = version
        self.uptime = uptime
        self.time = time
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a status")
        version = try fields.string("version") ?? ""
        uptime = try fields.integer("uptimeInSeconds") ?? 0
        time = try fields.integer("time") ?? 0
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        [
            "status": "healthy", "message": "mockserver is ok", "version": .string(version),
            "uptimeInSeconds": .integer(uptime), "timestamp": .string(CalendarTime(milliseconds: time).text + "Z"),
            "time": .integer(time),
        ]
    }
}

/// The version of a server.
public struct ServerVersion: AdminShape {
    /// The version, such as `1.2.0`.
    public var version: String

    /// Creates a version.
    public init(_ version: String) {
        self.version = version
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        version = try JSONFields(reading: node, "a version").requiredString("version")
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree { ["version": .string(version)] }
}

/// A session of a server, which keeps the stubs and requests of one test separate. A request belongs to a session
/// because of its port, the prefix of its path, or a header field.
public struct ServerSession: AdminShape {
    /// The identifier.
    public var id: String
    /// The base URL with the session's own port; `nil` if it has none.
    public var url: String?
    /// The base URL with a prefix of the path.
    public var prefixURL: String
    /// The header field that puts a request into the session.
    public var header: NamedValues

    /// Creates a session.
    public init(id: String, url: String?, prefixURL: String, header: NamedValues) {
        self.id = id
        self.url = url
        self.prefixURL = prefixURL
        self.header = header
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a session")
        id = try fields.requiredString("id")
        url = try fields.string("url")
        prefixURL = try fields.requiredString("prefixUrl")
        let headers = try [NamedValues](members: "headers", in: fields)
        guard let header = headers.first else { throw fields.mistake("headers", expected: "a header field") }
        self.header = header
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        let members: JSONObject = [
            "id": .string(id), "url": url.map { .string($0) }, "prefixUrl": .string(prefixURL),
            "headers": [header].json,
        ]
        return members.tree
    }
}
