// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
public import RepriseWire

/// The head of a request in the parts that every protocol has: the method, the target, the field lines, and how the
/// body is framed.
///
/// The parts lie in one text in the form of HTTP/1.1, which ``HTTP1Channel`` sends as it is. A channel of another
/// protocol takes them one by one.
public struct OutgoingHead: Sendable {
    /// How the body is framed.
    public private(set) var framing = BodyFraming.none
    /// Whether the body waits for `100 Continue` (RFC 9110 section 10.1.1), because a field line says so.
    public var awaitsContinue = false
    /// The request line and the field lines, each with its CR LF; after ``end()``, also the blank line, and the content
    /// that is sent together with the head.
    private(set) var text: [UInt8] = []
    private let methodEnd: Int
    private let targetEnd: Int
    private var length = 0

    /// Creates a head without field lines. Nothing in a head is validated.
    ///
    /// - Parameters:
    ///   - capacity: The estimated length of the text.
    ///   - method: Appends the method.
    ///   - target: Appends the target.
    public init(capacity: Int, method: (inout [UInt8]) -> Void, target: (inout [UInt8]) -> Void) {
        text.reserveCapacity(capacity)
        method(&text)
        methodEnd = text.count
        text.append(0x20)
        target(&text)
        targetEnd = text.count
        text += Self.version
    }

    private static let version = Array(" HTTP/1.1\r\n".utf8)

    /// Adds a field line.
    public mutating func add(_ line: Span<UInt8>) {
        text.append(bytes: line)
        text.append(0x0D)
        text.append(0x0A)
    }

    /// Adds a field line.
    public mutating func add(_ name: String, _ value: String) {
        RequestHeadEncoder.appendField(name: name, value: value, to: &text)
    }

    /// Adds a field line with the value that `append` appends.
    mutating func add(_ name: String, append: (inout [UInt8]) -> Void) {
        text += name.utf8
        text += ": ".utf8
        append(&text)
        text += "\r\n".utf8
    }

    /// Specifies how the body is framed, in HTTP/1.1 by a field line.
    public mutating func add(_ framing: BodyFraming) {
        self.framing = framing
        switch framing {
        case .none: break
        case .length(let length): RequestHeadEncoder.appendField(name: "Content-Length", value: length, to: &text)
        case .chunked: add("Transfer-Encoding", "chunked")
        }
    }

    mutating func end() {
        RequestHeadEncoder.appendEndOfHead(to: &text)
        length = text.count
    }

    /// Returns the complete head with its target in absolute-form (RFC 9112 section 3.2.2).
    func absolute(for proxy: Proxy, to origin: Origin) -> OutgoingHead {
        var head = OutgoingHead(capacity: text.count + 64) { output in
            output += method
        } target: { output in
            output += "http://".utf8
            origin.appendAuthority(to: &output)
            // RFC 9112 section 3.2.4: in a request to a proxy, `*` becomes an empty path.
            if !target.elementsEqual("*".utf8) { output += target }
        }
        head.text += text[(targetEnd + Self.version.count)..<(length - 2)]
        if let authorization = proxy.authorization { head.add("Proxy-Authorization", authorization) }
        (head.framing, head.awaitsContinue) = (framing, awaitsContinue)
        head.end()
        head.text += content
        return head
    }

    /// Adds content that is sent together with the head, which saves a system call and a packet.
    mutating func join(_ content: [UInt8]) {
        text += content
    }
}

/// The parts, for channels.
extension OutgoingHead {
    var method: ArraySlice<UInt8> { text[..<methodEnd] }
    var target: ArraySlice<UInt8> { text[(methodEnd + 1)..<targetEnd] }
    /// The field lines, with those that only HTTP/1.1 needs.
    var fieldLines: [ArraySlice<UInt8>] {
        text[(targetEnd + Self.version.count)..<(length - 2)].split(separator: 0x0A).map { $0.dropLast() }
    }
    var content: ArraySlice<UInt8> { text[length...] }
}
