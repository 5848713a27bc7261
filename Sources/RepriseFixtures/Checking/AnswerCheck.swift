// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
private import RepriseContentCoding
internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
package import RepriseText

/// Finds route files and stubs that are served but probably wrong: their content doesn't match its header fields, their
/// name matches a different path than it appears to, or they can only answer 500.
package enum AnswerCheck {
    /// Returns the problems of a set, in file order, first those of route files.
    package static func problems(_ set: FixtureSet) -> [FixtureProblem] {
        set.fixtures.flatMap { fixture -> [FixtureProblem] in
            guard !fixture.isRecorded else { return [] }
            let file = fixture.source.file
            let faults = [fault(inName: fixture.pattern.summary), fault(inContentOf: fixture.plan, file)]
            return faults.compactMap { fault in
                fault.map { FixtureProblem(file: file, location: $0.location, message: $0.message) }
            }
        }
            + set.stubs.compactMap { stub in
                (stub.answer.failure ?? codingFault(of: stub)).map {
                    FixtureProblem(file: stub.source.file, location: stub.source.location, message: $0)
                }
            }
    }

    private typealias Fault = (location: FilePosition, message: String)

    // MARK: Names

    /// Returns what is wrong with the path of a route, whose special characters are percent-encoded.
    private static func fault(inName route: String) -> Fault? {
        if route.contains("%3F") {
            let message =
                "expected a name without '?', because a route file answers any query, found a name that answers only "
                + "\(route); remove the query from the name, or write a stub mapping with queryParameters"
            return (.start, message)
        }
        guard let escape = route.firstRange(of: /%25[0-9A-Fa-f]{2}/) else { return nil }
        let message =
            "expected a file name without percent-escapes, found '%\(route[escape].dropFirst(3))', so the file answers "
            + "only \(route); write the character itself, or use a stub mapping for a slash"
        return (.start, message)
    }

    // MARK: Content

    private static func fault(inContentOf plan: ResponsePlan, _ file: String) -> Fault? {
        if let message = codingFault(of: plan) { return (.start, message) }
        let type = MediaType(ContentType.named(byFilename: file))
        let lines = plan.head?.headers ?? []
        // A header line can change the type, and describe any coding.
        guard lines.contentCodings.isEmpty, case let bytes = plan.content, !bytes.isEmpty,
            let sent = lines.firstValue(named: "Content-Type"), MediaType(sent).essence == type.essence
        else { return nil }
        if type.isJSON { return jsonFault(in: bytes) }
        if type.isXML { return xmlFault(in: bytes) }
        return type.isEventStream ? eventFault(in: bytes) : nil
    }

    private static func jsonFault(in bytes: [UInt8]) -> Fault? {
        do {
            _ = try JSONTree(parsing: bytes)
            return nil
        } catch {
            return (error.location(in: bytes), "invalid JSON: \(error.message); correct it, or use another extension")
        }
    }

    /// A document type can declare entities, and other encodings are not read, so such a document is not judged.
    private static func xmlFault(in bytes: [UInt8]) -> Fault? {
        guard UTF8Sequence.isValid(bytes), String(decoding: bytes, as: UTF8.self).firstRange(of: "<!DOCTYPE") == nil,
            let offset = XMLReader.fault(in: bytes[...])
        else { return nil }
        let message = "invalid XML: expected a well-formed document; correct it, or use another extension"
        return (FilePosition(offset: offset, in: bytes), message)
    }

    /// A client ignores an event that no blank line ends (WHATWG HTML section 9.2.6).
    private static func eventFault(in bytes: [UInt8]) -> Fault? {
        let events = StreamChunks.events(bytes)
        // What follows a complete event is the next one.
        guard let last = events.last, StreamChunks.events(bytes + [0x78]).count == events.count,
            bytes[last].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains(where: { $0.first != 0x3A })
        else { return nil }
        let message =
            "expected a blank line after the last event, found the end of the file, so clients ignore the event; "
            + "add the line"
        return (FilePosition(offset: last.lowerBound, in: bytes), message)
    }

    // MARK: Codings

    private static func codingFault(of stub: StubFixture) -> String? {
        switch stub.answer.kind {
        case .plan(let plan): return codingFault(of: plan)
        case .proxy: return nil
        case .template:
            // What a template renders is text.
            let lines = stub.mapping.response.headers.compactMap { try? HeaderLine(stub: $0) }
            let content = try? StubContentSource(stub.mapping.response, nil).source().contents
            return codingFault(lines, content: content ?? Array("text".utf8))
        }
    }

    private static func codingFault(of plan: ResponsePlan) -> String? {
        guard plan.steps.last == .end(.complete), let lines = plan.head?.headers else { return nil }
        return codingFault(lines, content: plan.content)
    }

    /// Returns what is wrong if the content is not in the coding or the charset that its header lines name.
    private static func codingFault(_ lines: [HeaderLine], content: [UInt8]) -> String? {
        if let fault = charsetFault(lines, content: content) { return fault }
        let codings = lines.contentCodings.joined(separator: ", ")
        guard !codings.isEmpty, !codings.contains("{{"), !content.isEmpty else { return nil }
        let isText = !SecretCheck.isBinary(content) && UTF8Sequence.isValid(content)
        let isGzip = ["gzip", "x-gzip"].contains(codings)
        guard isText || isGzip && !content.starts(with: [0x1F, 0x8B]) else { return nil }
        return "expected content in the coding of Content-Encoding: \(codings), found other content; remove the header "
            + "field, or encode the content"
    }

    /// Text in a mapping is sent as UTF-8, and files as they are.
    private static func charsetFault(_ lines: [HeaderLine], content: [UInt8]) -> String? {
        guard let type = lines.firstValue(named: "Content-Type"),
            let name = MediaType(Array(type.utf8)).parameter("charset"), let charset = Charset(name), !content.isEmpty,
            !SecretCheck.isBinary(content), UTF8Sequence.isValid(content), charset.encoded(content) != content
        else { return nil }
        return "expected content in the charset of Content-Type: \(type), found UTF-8, which is sent unchanged; write "
            + "charset=utf-8, or put the content into a file in that charset"
    }
}

extension ResponsePlan {
    /// The content; empty if a part of it is in a file that is too large to read into memory.
    fileprivate var content: [UInt8] {
        content { ByteSource.file($0).contents } ?? []
    }
}
