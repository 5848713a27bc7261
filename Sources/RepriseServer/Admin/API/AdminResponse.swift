// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseText

/// An answer of the admin API.
struct AdminResponse: Sendable {
    var status = 200
    var contentType: String? = "application/json"
    var headers: [HeaderLine] = []
    /// The content in pieces, so that a loop never copies a large answer as a whole.
    var content: [[UInt8]] = []

    static let pieceSize = 64 << 10

    /// `{}`, which clients that expect JSON can read.
    static let empty = AdminResponse.json(.object([]))

    static func json(_ json: JSONTree, status: Int = 200) -> AdminResponse {
        var pieces = AdminPieces()
        pieces.append(json)
        return AdminResponse(status: status, content: pieces.all)
    }

    static func model(_ model: some AdminModel, status: Int = 200) -> AdminResponse {
        json(model.json, status: status)
    }

    /// Returns an object with a list, and further members as JSON.
    static func list(_ name: String, _ list: some Sequence<JSONTree>, more: String = "") -> AdminResponse {
        var pieces = AdminPieces()
        pieces.append("{\"\(name)\":")
        pieces.append(list: list)
        pieces.append("\(more)}")
        return AdminResponse(content: pieces.all)
    }

    static func text(_ text: String, _ contentType: String, status: Int = 200) -> AdminResponse {
        bytes(Array(text.utf8), contentType, status: status)
    }

    static func bytes(_ bytes: [UInt8], _ contentType: String, status: Int = 200) -> AdminResponse {
        var pieces = AdminPieces()
        pieces.append(bytes[...])
        return AdminResponse(status: status, contentType: contentType, content: pieces.all)
    }
}

/// Collects the content of a large answer in pieces.
struct AdminPieces {
    private var full: [[UInt8]] = []
    private var open: [UInt8] = []

    mutating func append(_ json: JSONTree) {
        json.append(to: &open)
        close()
    }

    mutating func append(_ text: String) {
        open += text.utf8
        close()
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        open += bytes
        close()
    }

    private mutating func close() {
        guard open.count >= AdminResponse.pieceSize else { return }
        var rest = open[...]
        while rest.count >= AdminResponse.pieceSize {
            full.append(Array(rest.prefix(AdminResponse.pieceSize)))
            rest = rest.dropFirst(AdminResponse.pieceSize)
        }
        open = Array(rest)
    }

    var all: [[UInt8]] { open.isEmpty ? full : full + [open] }

    /// Appends a list of values as the member of an object that is being written.
    mutating func append(list: some Sequence<JSONTree>) {
        append("[")
        var isFirst = true
        // Nobody reads the list if the client left.
        for json in list where !Task.isCancelled {
            if !isFirst { append(",") }
            isFirst = false
            append(json)
        }
        append("]")
    }
}
