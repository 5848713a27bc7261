// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

extension RecordingLog {
    /// A line of the log: one exchange as it will be in the cassette.
    ///
    /// ```json
    /// {"ordinal": 3, "exchange": {"request": …, "response": …, "recorded": …}}
    /// ```
    struct Entry: Hashable {
        /// The position of the exchange in the order in which exchanges started.
        var ordinal: Int
        /// The selection of entries in the cassette that it replaces (``RequestSelection``); `nil` if it is an
        /// additional entry.
        var replaces: String?
        /// The location of the steps of a long stream. The exchange then contains only the last step.
        var steps: SpilledSteps?
        /// Whether the exchange has not ended. The entry is used only if no other follows with the same ordinal.
        var isOpen = false
        /// The offset in the log of the entry that this one replaces, which is overwritten with spaces.
        var supersedes: Int?
        var exchange: Exchange

        /// The steps of a stream in two files in the bodies folder.
        struct SpilledSteps: Hashable {
            /// The file with their bytes.
            var bytes: String
            /// The file with the length and time of each step (``ChunkLog``).
            var pace: String
        }

        /// Returns the line, with its line feed, for the log of the cassette at `path`.
        func line(cassette path: String) throws(CassetteWriter.Problem) -> [UInt8] {
            LogLine.sealed(try text(cassette: path).builder.text)
        }

        /// Returns the line without its checksum and line feed.
        func text(cassette path: String) throws(CassetteWriter.Problem) -> CassetteText {
            var text = CassetteText(path: path, keepsBodiesPlain: true)
            // Enough for most lines, which avoids reallocation.
            text.builder.reserveCapacity(2048)
            text.builder.beginObject(onOneLine: true)
            text.builder.key("ordinal")
            text.builder.raw { $0.append(decimal: UInt64(ordinal)) }
            if isOpen {
                text.builder.key("isOpen")
                text.builder.raw(Array("true".utf8))
            }
            if let supersedes {
                text.builder.key("supersedes")
                text.builder.raw(Array("\(supersedes)".utf8))
            }
            if let replaces {
                text.builder.key("replaces")
                text.builder.string(replaces)
            }
            if let steps {
                text.builder.key("steps")
                text.builder.beginArray()
                for name in [steps.bytes, steps.pace] {
                    text.builder.element()
                    text.builder.string(name)
                }
                text.builder.end()
            }
            text.builder.key("exchange")
            try text.add(exchange)
            text.builder.end()
            return text
        }

        /// Reads the JSON of a line of the log of the cassette at `path`. Returns `nil` if it is invalid, or if a body
        /// file is missing.
        init?(json: [UInt8], cassette path: String) {
            var parser = CassetteParser(json, file: path, bodies: BodyFolder(cassette: path).bodies)
            guard let entry = try? parser.logEntry(), parser.problems.isEmpty else { return nil }
            self = entry
        }

        init(ordinal: Int, replaces: String? = nil, steps: SpilledSteps? = nil, exchange: Exchange) {
            self.ordinal = ordinal
            self.replaces = replaces
            self.steps = steps
            self.exchange = exchange
        }

        var bodies: [String] { exchange.bodyFiles }

        /// The names of all files in the bodies folder that the entry needs.
        var files: [String] { bodies + (steps.map { [$0.bytes, $0.pace] } ?? []) }
    }
}

extension Exchange {
    var bodyFiles: [String] {
        var sources = [request.body?.source]
        if case .response(let response) = outcome, case .body(let body) = response.content {
            sources.append(body.source)
        }
        return sources.compactMap { source in
            if case .file(let file)? = source { file.name } else { nil }
        }
    }
}

extension CassetteParser {
    fileprivate mutating func logEntry() throws(JSONError) -> RecordingLog.Entry? {
        guard try reader.next() == .beginObject else { return nil }
        var ordinal: Int?
        var replaces: String?
        var names: [String] = []
        var exchange: Exchange?
        var isOpen = false
        var supersedes: Int?
        while case .key(let range) = try reader.next() {
            switch reader.spelling(of: range) {
            case "ordinal": ordinal = Int(reader.spelling(of: try reader.skipValue()))
            case "isOpen": isOpen = try reader.next() == .true
            case "supersedes": supersedes = Int(reader.spelling(of: try reader.skipValue()))
            case "replaces": replaces = try string("expected the replaced range")
            case "steps": names = try strings()
            case "exchange": exchange = try self.exchange() ?? nil
            default: return nil
            }
        }
        guard try reader.next() == .end, let ordinal, ordinal >= 0, let exchange else { return nil }
        let steps = names.count == 2 ? RecordingLog.Entry.SpilledSteps(bytes: names[0], pace: names[1]) : nil
        var entry = RecordingLog.Entry(ordinal: ordinal, replaces: replaces, steps: steps, exchange: exchange)
        entry.isOpen = isOpen
        entry.supersedes = supersedes
        return entry
    }

    private mutating func strings() throws(JSONError) -> [String] {
        guard try reader.next() == .beginArray else { return [] }
        var strings: [String] = []
        while case .string(let range) = try reader.next() { strings.append(try reader.string(of: range)) }
        return strings
    }
}
