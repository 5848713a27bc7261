// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// The status of a healthy server.
package struct ServerHealth: AdminModel {
    package var version: String
    /// The seconds since the server started.
    package var uptime: Int
    /// The time of the answer, in milliseconds since the start of 1970.
    package var time: Int

    package init(version: String, uptime: Int, time: Int) {
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

    package var json: JSONTree {
        [
            "status": "healthy", "message": "mockserver is ok", "version": .string(version),
            "uptimeInSeconds": .integer(uptime), "timestamp": .string(CalendarTime(milliseconds: time).text + "Z"),
            "time": .integer(time),
        ]
    }
}

/// The version of a server.
package struct ServerVersion: AdminModel {
    /// The version, such as `1.2.0`.
    package var version: String

    package init(_ version: String) { self.version = version }

    package init(reading node: JSONNode) throws(JSONMistake) {
        version = try JSONFields(reading: node, "a version").requiredString("version")
    }

    package var json: JSONTree { ["version": .string(version)] }
}

/// A session of a server, which keeps the stubs and requests of one test separate. A request belongs to a session
/// because of its port, the prefix of its path, or a header field.
package struct ServerSession: AdminModel {
    package var id: String
    /// The base URL with the session's own port; `nil` if it has none.
    package var url: String?
    /// The base URL with a prefix of the path.
    package var prefixURL: String
    /// The header field that puts a request into the session.
    package var header: NamedValues

    package init(id: String, url: String?, prefixURL: String, header: NamedValues) {
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

    package var json: JSONTree {
        .members([
            "id": .string(id), "url": url.map { .string($0) }, "prefixUrl": .string(prefixURL),
            "headers": [header].json,
        ])
    }
}
