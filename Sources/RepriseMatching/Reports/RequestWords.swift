// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A request that failed, as words of a command that explains it.
struct RequestWords: Sendable {
    private let lines: [[UInt8]]
    /// The body; `nil` if it is too large for a command, or must not be shown.
    private let body: [UInt8]?

    /// The maximum size of the body in a command, and of the rest of the command.
    private static let maximumCount = 4096
    /// Fields that describe how the message was sent. They do not apply to the command, whose target and body differ.
    private static let framing = [
        "host", "connection", "keep-alive", "content-length", "transfer-encoding", "content-encoding", "expect",
    ]

    /// - Parameters:
    ///   - showsContent: Whether the body may be shown.
    ///   - isDecoded: Whether the body is without the content coding that the request names.
    init(
        _ request: RequestView,
        showsContent: Bool,
        isDecoded: Bool,
        hiding hide: ((MissReport.Part) -> [UInt8]?)?
    ) {
        var sent: [HeaderLine] = []
        let host = Array("Host: ".utf8) + [UInt8](bytes: request.authority)
        if !request.authority.isEmpty, let line = HeaderLine(bytes: host) { sent.append(line) }
        var index = request.ranges.headerLines.lowerBound
        while let range = request.nextHeader(at: &index) {
            guard let line = HeaderLine(bytes: [UInt8](bytes: request.head.extracting(range.line))),
                !Self.framing.contains(where: line.hasName)
            else { continue }
            sent.append(line)
        }
        let content = [UInt8](bytes: request.content)
        // Secrets are not found in a coding, and the command needs the body without it.
        let isReadable = isDecoded || !Self.isCoded(request)
        let isShown = content.isEmpty || showsContent && isReadable && content.count <= Self.maximumCount
        lines = sent.compactMap { line in hide.map { $0(.line(line)) } ?? line.bytes }
        body = !isShown ? nil : hide.map { $0(.content(content, sent)) } ?? content
    }

    private static func isCoded(_ request: RequestView) -> Bool {
        let field = String(decoding: request.joinedValue(named: "Content-Encoding") ?? [], as: UTF8.self)
        return !field.contentCodings.isEmpty
    }

    /// Returns a sentence with the command; `nil` if no command is possible, for example because a header line is not
    /// text.
    func hint(_ tool: ToolInvocation, _ method: [UInt8], _ target: [UInt8], isStateful: Bool) -> String? {
        guard method.first != UInt8(ascii: "-"), let target = DisplayText.visibleWord(target) else { return nil }
        var command = "\(tool.command(["explain", String(decoding: method, as: UTF8.self)])) \(target)"
        for line in lines {
            guard let word = DisplayText.visibleWord(line) else { return nil }
            command += " -H \(word)"
        }
        guard command.utf8.count <= Self.maximumCount else { return nil }
        let source = tool.source(isStateful: isStateful)
        let content = body.map { $0.isEmpty ? "" : DisplayText.printing($0) }
        guard let content, content.utf8.count <= Self.maximumCount else {
            return "To see every candidate, save the request's body as BODY and run: \(command) -d @BODY \(source)"
        }
        return "To see every candidate, run: "
            + (content.isEmpty ? "\(command) \(source)" : "\(content) | \(command) -d @- \(source)")
    }
}
