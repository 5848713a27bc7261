// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
private import RepriseWire

/// The head of a response without the lines that depend on the client or the time. Those lines are added for each
/// request, so that all clients share the rest of the response.
struct HeadTemplate: Sendable, Equatable {
    /// The status line and the header lines, each with CR LF, without the empty line that ends the head.
    private(set) var bytes: [UInt8] = []
    /// The offset in `bytes` of the lines for a web page from another origin.
    private(set) var originOffset: Int
    /// The line that lists the names that a web page may read. Empty if there are none, or if web pages from other
    /// origins may not read the answers.
    private(set) var exposure: [UInt8] = []
    private(set) var traits: Traits = []

    /// The properties of a head that decide which lines are added.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// A line says `Connection: close`.
        static let closes = Traits(rawValue: 1)
        /// There is a Connection line.
        static let hasConnection = Traits(rawValue: 2)
        /// A Date line must be added, because the response is the server's own (RFC 9110 section 6.6.1).
        static let isDated = Traits(rawValue: 4)
    }

    /// Creates the template for a head.
    ///
    /// - Parameters:
    ///   - isCrossOrigin: Whether web pages from other origins may read the response. Their lines replace the recorded
    ///     ones.
    ///   - isDated: Whether a Date line is added if the head has none.
    ///   - isDechunked: Whether the content is sent without chunks to a client that does not support them.
    init(_ head: ResponseHead, isCrossOrigin: Bool, isDated: Bool = false, isDechunked: Bool = false) {
        var lines = head.headers
        if isCrossOrigin {
            exposure = CrossOrigin.exposure(of: lines)
            lines.removeAll { CrossOrigin.replaces($0) }
        }
        if isDechunked {
            // No transfer coding for a client that does not support HTTP/1.1 (RFC 9112 section 6.1).
            lines.removeAll { $0.hasName("transfer-encoding") || $0.hasName("trailer") }
        }
        bytes.reserveCapacity(64 + lines.reduce(0) { $0 + $1.bytes.count + 2 })
        ResponseHeadEncoder.appendStatusLine(status: head.status, reason: head.reasonBytes, to: &bytes)
        for line in lines { ResponseHeadEncoder.appendFieldLine(line.bytes, to: &bytes) }
        originOffset = bytes.count
        if isCrossOrigin, !lines.contains(where: { $0.hasName("vary") && $0.lists("origin") }) {
            ResponseHeadEncoder.appendFieldLine(CrossOrigin.vary, to: &bytes)
        }
        for line in lines where line.hasName("connection") {
            traits.insert(line.lists("close") ? [.hasConnection, .closes] : .hasConnection)
        }
        if isDated, !lines.contains(where: { $0.hasName("date") }) { traits.insert(.isDated) }
    }

    /// Returns the complete head for a client.
    ///
    /// - Parameters:
    ///   - date: The Date line with CR LF.
    ///   - endsByClosing: Whether only the end of the connection ends the content.
    /// - Returns: The bytes, and whether the connection closes after the response.
    func head(
        for client: PlanSerializer.Client,
        date: [UInt8],
        endsByClosing: Bool = false
    ) -> (bytes: [UInt8], closes: Bool) {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + exposure.count + (client.origin?.count ?? 0) + 160)
        let closes = Parts(head: bytes[...], originOffset: originOffset, exposure: exposure[...], traits: traits)
            .append(to: &output, for: client, date: date, endsByClosing: endsByClosing)
        return (output, closes)
    }

    /// A template's parts, wherever they are stored.
    struct Parts {
        var head: ArraySlice<UInt8>
        var originOffset: Int
        var exposure: ArraySlice<UInt8>
        var traits: Traits

        /// Appends the complete head for a client; see ``HeadTemplate/head(for:date:endsByClosing:)``.
        ///
        /// - Returns: Whether the connection closes after the response.
        func append(
            to output: inout [UInt8],
            for client: PlanSerializer.Client,
            date: [UInt8],
            endsByClosing: Bool = false
        ) -> Bool {
            let closes = traits.contains(.closes) || !client.isKeepAlive || endsByClosing
            let start = output.count
            if let origin = client.origin {
                let offset = head.startIndex + originOffset
                output += head[..<offset]
                CrossOrigin.appendLines(origin: origin, to: &output)
                output += exposure
                output += head[offset...]
            } else {
                output += head
            }
            if traits.contains(.isDated) { output += date }
            if closes, !traits.contains(.closes) {
                if traits.contains(.hasConnection) { output.removeKeepAliveLines(from: start) }
                output += Self.closeLine
            } else if client.minorVersion == 0, !closes, !traits.contains(.hasConnection) {
                output += Self.keepAliveLine
            }
            ResponseHeadEncoder.appendEndOfHead(to: &output)
            return closes
        }

        private static let closeLine = Array("Connection: close\r\n".utf8)
        private static let keepAliveLine = Array("Connection: keep-alive\r\n".utf8)
    }
}

extension [UInt8] {
    /// Removes the lines `Connection: keep-alive` of the head that starts at `start`, because the connection closes
    /// after the response.
    mutating func removeKeepAliveLines(from start: Int = 0) {
        var start = start
        while start < count, let end = self[start...].firstIndex(of: 0x0A) {
            let line = HeaderLine(bytes: Array(self[start..<end].dropLast()))
            if let line, line.hasName("connection"), line.value.lowercased() == "keep-alive" {
                removeSubrange(start...end)
            } else {
                start = end + 1
            }
        }
    }
}
