// SPDX-License-Identifier: Apache-2.0
import RepriseWire

/// How a parser and a body decoder interpret a connection's bytes. The result must not depend on how the bytes are
/// split.
struct RequestTranscript: Equatable {
    var requests: [Request] = []
    var ending = Ending.needsMore(isIdle: true)

    struct Request: Equatable {
        var method = ""
        var target = ""
        var form = TargetForm.origin
        var authority: String?
        var path = ""
        var query: String?
        var minorVersion = 1
        var fields: [String] = []
        var lines: [String] = []
        var host: String?
        var contentType: String?
        var length = 0
        var framing = BodyFraming.none
        var isKeepAlive = true
        var expectsContinue = false
        var body = ""
        var chunks: [Int] = []
        var trailers: [String] = []
        var isComplete = false
    }

    enum Ending: Equatable {
        case needsMore(isIdle: Bool)
        case error(ParsingError)
    }

    var error: ParsingError? {
        if case .error(let error) = ending { error } else { nil }
    }

    /// The number of complete requests.
    var completed: Int { requests.count { $0.isComplete } }

    /// Parses `bytes`, split at each of `cuts`.
    init(_ bytes: [UInt8], cuts: [Int] = [], limits: RequestParser.Limits = .init()) {
        var reader = Reader(limits: limits)
        do throws(ParsingError) {
            for end in cuts + [bytes.count] { try reader.read(bytes, to: end) }
            ending = .needsMore(isIdle: reader.isIdle)
        } catch {
            ending = .error(error)
        }
        requests = reader.requests
    }

    init(_ text: String, limits: RequestParser.Limits = .init()) {
        self.init(bytes(text), limits: limits)
    }
}

extension RequestTranscript {
    /// A miniature of a connection's reading side.
    private struct Reader {
        let limits: RequestParser.Limits
        var parser: RequestParser
        var decoder: BodyDecoder?
        var offset = 0
        var requests: [Request] = []

        init(limits: RequestParser.Limits) {
            self.limits = limits
            parser = RequestParser(limits: limits)
        }

        var isIdle: Bool { decoder == nil && parser.isIdle }

        mutating func read(_ bytes: [UInt8], to end: Int) throws(ParsingError) {
            while true {
                if decoder == nil {
                    guard try parser.parseHead(bytes.span.extracting(offset..<end)) else { return }
                    takeHead(from: bytes[offset..<end])
                }
                guard try readBody(bytes, to: end) else { return }
                decoder = nil
                parser.reset()
            }
        }

        private mutating func takeHead(from input: ArraySlice<UInt8>) {
            requests.append(Request(parser.head, in: Array(input)))
            decoder = BodyDecoder(
                parser.head.body,
                limit: limits.body,
                trailerSection: limits.headerSection,
                trailerFields: limits.fields
            )
            offset += parser.head.length
        }

        private mutating func readBody(_ bytes: [UInt8], to end: Int) throws(ParsingError) -> Bool {
            while true {
                let event = try decoder!.decode(bytes.span.extracting(0..<end), from: offset)
                offset = event.consumedTo
                let last = requests.count - 1
                switch event {
                case .data(let range): requests[last].body += text(bytes, range)
                case .chunkStart(let size, _): requests[last].chunks.append(size)
                case .chunkEnd: continue
                case .end:
                    let trailers = decoder!.trailers
                    requests[last].trailers = trailers.fields.map { text(trailers.bytes, $0.line) }
                    requests[last].isComplete = true
                    return true
                case .needsMore: return false
                }
            }
        }
    }
}

extension RequestTranscript.Request {
    init(_ head: RequestHead, in bytes: [UInt8]) {
        method = text(bytes, head.method)
        target = text(bytes, head.target)
        form = head.form
        authority = head.authority.map { text(bytes, $0) }
        path = text(bytes, head.path)
        query = head.query.map { text(bytes, $0) }
        minorVersion = head.minorVersion
        fields = head.fields.map { text(bytes, $0.name) + "=" + text(bytes, $0.value) }
        lines = head.fields.map { text(bytes, $0.line) }
        host = head.host.map { text(bytes, $0) }
        contentType = head.contentType.map { text(bytes, $0) }
        length = head.length
        framing = head.body
        isKeepAlive = head.isKeepAlive
        expectsContinue = head.expectsContinue
    }
}

/// The bytes at `range`, each as the Unicode scalar of its value, so that none is lost.
func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(bytes[range].map { Unicode.Scalar($0) }))
}

/// The bytes that `text` represents, the inverse of ``text(_:_:)``.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}
