// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds strings in whole JSON texts that other members declare to be secret, whatever their own names are:
/// `{"key": "SALT", "value": "…", "sensitive": true}`, `{"kind": "Secret", "data": {…}}`.
struct DeclaredSecrets {
    private typealias Verdict = SecretNames.Verdict

    private struct Frame {
        var isObject: Bool
        /// The index of the first string of this object or array in ``entries``.
        var first: Int
        /// The key of this object or array, or of the array that contains it.
        var key: Range<Int>?
        /// The key of the object that contains an array.
        var container: Range<Int>?
        var declaration: SecretDeclaration = []
    }

    private struct Entry {
        var key: Range<Int>
        /// The key of the object that contains the string.
        var container: Range<Int>?
        var value: Range<Int>
        /// The number of open objects and arrays.
        var depth: Int
    }

    private let names: SecretNames
    private var frames: [Frame] = []
    private var entries: [Entry] = []
    private var key: Range<Int>?
    /// The number of strings that can still be checked. Because of this limit, nested declarations take linear time.
    private var work: Int
    private var cuts: [Cut] = []

    private init(names: SecretNames, work: Int) {
        self.names = names
        self.work = work
    }

    /// Returns the cuts for these strings, in no particular order. Stops at the first syntax error.
    static func cuts(in bytes: Span<UInt8>, _ names: SecretNames) -> [Cut] {
        var secrets = DeclaredSecrets(names: names, work: bytes.count)
        var scanner = JSONScanner(isSequence: true)
        while let token = try? scanner.next(in: bytes), token != .end { secrets.take(token, bytes) }
        return secrets.cuts
    }

    private mutating func take(_ token: JSONToken, _ bytes: Span<UInt8>) {
        switch token {
        case .beginObject: open(isObject: true)
        case .beginArray: open(isObject: false)
        case .endObject, .endArray:
            guard let frame = frames.popLast() else { return }
            if !frame.declaration.isEmpty { search(frame, bytes) }
            if frames.isEmpty { entries.removeAll() }
            key = nil
        case .key(let range):
            key = range
            guard let last = frames.indices.last,
                let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: range.upperBound..<bytes.count)
            else { return }
            frames[last].declaration.formUnion(SecretDeclaration(bytes, keyEnd: range.upperBound, colon: colon))
        case .string(let range):
            guard let frame = frames.last, let key = key ?? frame.key else { return }
            let container = frame.isObject ? frame.key : frame.container
            entries.append(Entry(key: key, container: container, value: range, depth: frames.count))
            self.key = nil
        default: key = nil
        }
    }

    private mutating func open(isObject: Bool) {
        let outer = frames.last
        let container = outer?.isObject == true ? outer?.key : outer?.container
        frames.append(
            Frame(isObject: isObject, first: entries.count, key: key ?? outer?.key, container: container)
        )
        key = nil
    }

    // MARK: Declared strings

    /// Searches the strings of a closed object.
    private mutating func search(_ frame: Frame, _ bytes: Span<UInt8>) {
        let depth = frames.count + 1
        var arguments: [Entry] = []
        for entry in entries[frame.first...] {
            work -= 1
            guard work > 0 else { return }
            if entry.depth == depth + 1, isArgument(entry, of: frame, bytes) { arguments.append(entry) }
            guard let verdict = verdict(on: entry, of: frame, depth, bytes),
                !names.allows(bytes.extracting(entry.key), in: .json)
            else { continue }
            cut(entry, verdict, bytes)
        }
        // The password follows the name of the user, or that of the database.
        if frame.declaration.contains(.password) {
            let password = arguments.dropFirst().prefix(2).first { PasswordForm.isLikely(bytes.extracting($0.value)) }
            if let password { cut(password, Verdict(), bytes) }
        } else if arguments.count > 1, let last = arguments.last, PasswordForm.isLikely(bytes.extracting(last.value)) {
            cut(last, Verdict(), bytes)
        }
    }

    private mutating func cut(_ entry: Entry, _ verdict: Verdict, _ bytes: Span<UInt8>) {
        let value = bytes.extracting(entry.value)
        let hasEscapes = value.endOfStringRun(from: 0) < value.count
        let decoded = (hasEscapes ? JSONEscapes.decoded(value) : Array(bytes: value))[...]
        guard !decoded.isEmpty, !LiteralWord.isLiteral(decoded.span), !PublicKeyText.isPublic(decoded.span),
            NamedValue.isSecret(decoded.span, verdict, isText: true)
        else { return }
        cuts.append(Cut(range: entry.value, replacement: .marker(0)))
    }

    private func verdict(on entry: Entry, of frame: Frame, _ depth: Int, _ bytes: Span<UInt8>) -> Verdict? {
        let declaration = frame.declaration
        if !declaration.isDisjoint(with: [.secretValue, .likelyValue]),
            let verdict = verdict(onValue: entry, depth, bytes)
        {
            return declaration.contains(.secretValue) ? verdict : verdict.hinting
        }
        if !declaration.isDisjoint(with: [.secretKind, .secretList]), let container = entry.container,
            Self.has(container, Self.contents, bytes),
            declaration.contains(.secretList) || entry.depth == depth + 1
        {
            return names.role(of: bytes.extracting(entry.key), in: .json) == .descriptive ? nil : Verdict()
        }
        if declaration.contains(.secretResource), let container = entry.container,
            Self.has(container, Self.data, bytes)
                || Self.has(container, Self.states, bytes) && Self.has(entry.key, Self.results, bytes)
        {
            return Verdict(.likely)
        }
        if declaration.contains(.shares), entry.depth == depth + 1, Self.has(entry.key, Self.keys, bytes) {
            return Verdict(.likely)
        }
        if declaration.contains(.question), let container = entry.container,
            Self.has(entry.key, Self.answers, bytes), SecretDeclaration.namesQuestion(bytes.extracting(container))
        {
            return Verdict()
        }
        return nil
    }

    /// The verdict on a string of an object that declares its value secret: the value itself, or a string in it.
    private func verdict(onValue entry: Entry, _ depth: Int, _ bytes: Span<UInt8>) -> Verdict? {
        let role = FieldRole(bytes.extracting(entry.key))
        if entry.depth == depth {
            return role == .value ? Verdict() : role == .text ? Verdict(.likely) : nil
        }
        // An item of a list of values.
        if entry.depth == depth + 1, role == .value { return Verdict() }
        guard let container = entry.container, FieldRole(bytes.extracting(container)) == .value else { return nil }
        return role == .value ? Verdict() : Verdict(.likely)
    }

    /// Whether a string is an argument of a call that signs in.
    private func isArgument(_ entry: Entry, of frame: Frame, _ bytes: Span<UInt8>) -> Bool {
        !frame.declaration.isDisjoint(with: [.login, .password]) && Self.has(entry.key, Self.parameters, bytes)
    }

    private static func has(_ range: Range<Int>, _ words: Set<[UInt8]>, _ bytes: Span<UInt8>) -> Bool {
        range.count <= 16 && words.contains(Array(bytes: bytes.extracting(range)))
    }

    private static let contents = Set(words: ["data", "stringData"])
    private static let data = Set(words: ["data"])
    private static let states = Set(words: ["attributes", "values", "after", "before"])
    private static let results = Set(words: ["result", "value", "payload"])
    private static let keys = Set(words: ["keys"])
    private static let answers = Set(words: ["answer"])
    private static let parameters = Set(words: ["params", "args", "arguments"])
}
