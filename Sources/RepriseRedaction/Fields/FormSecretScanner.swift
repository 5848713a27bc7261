// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the values of a form (`application/x-www-form-urlencoded`) whose names suggest a secret, in bytes that arrive
/// in pieces.
struct FormSecretScanner: Sendable {
    /// The maximum length of a secret's name, in bytes.
    private static let maximumNameLength = 512

    /// The offset of the first byte that the caller must pass again next time.
    private(set) var position: Int

    private enum State {
        /// At the start of a name.
        case name
        /// At the start of a value whose name suggests a secret.
        case named(SecretNames.Verdict)
        /// In a value to redact.
        case secret(SecretNames.Verdict, isFirst: Bool)
        /// In a name or value to keep.
        case rest
    }

    private var state = State.name

    /// Creates a scanner for a form that starts at `position`.
    init(at position: Int = 0) {
        self.position = position
    }

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        while position < base + bytes.count {
            switch state {
            case .name:
                guard readName(bytes, base, isLast, names) else { return }
            case .named(let verdict):
                guard judge(bytes, base, isLast, verdict) else { return }
            case .secret(let verdict, let isFirst):
                let start = position
                state = .secret(verdict, isFirst: false)
                skipValue(bytes, base)
                let end = isAtEnd(bytes, base) ? position - 1 : position
                if end > start {
                    let replacement: Cut.Replacement = isFirst ? .marker(verdict.marker) : .restOfSecret
                    cuts.append(Cut(range: start..<end, replacement: replacement))
                }
            case .rest:
                skipValue(bytes, base)
            }
        }
    }

    /// Returns `false` if more bytes are needed.
    private mutating func readName(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool, _ names: SecretNames) -> Bool {
        let start = position - base
        var index = start
        let limit = min(bytes.count, start + Self.maximumNameLength)
        while index < limit, bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: "&") { index += 1 }
        guard index < limit else {
            guard isLast || limit == start + Self.maximumNameLength else { return false }
            state = .rest
            return true
        }
        guard bytes[index] == UInt8(ascii: "=") else {
            position = base + index + 1
            return true
        }
        let verdict = FormText.verdict(of: bytes.extracting(start..<index), in: .form, names)
        state = verdict.map { .named($0) } ?? .rest
        position = base + index + 1
        return true
    }

    /// Returns `false` if more bytes are needed.
    private mutating func judge(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ verdict: SecretNames.Verdict
    ) -> Bool {
        let judgment = NamedValue.judge(
            bytes,
            at: position - base,
            before: bytes.count,
            isLast: isLast,
            verdict: verdict,
            isText: true,
            isEnd: { $0 == UInt8(ascii: "&") }
        )
        switch judgment {
        case .undecided: return false
        case .notSecret: state = .rest
        case .secret: state = .secret(verdict, isFirst: true)
        }
        return true
    }

    /// Moves past the `&` that ends the value, if it was received.
    private mutating func skipValue(_ bytes: Span<UInt8>, _ base: Int) {
        var index = position - base
        while index < bytes.count {
            index += 1
            if bytes[index - 1] == UInt8(ascii: "&") {
                state = .name
                break
            }
        }
        position = base + index
    }

    private func isAtEnd(_ bytes: Span<UInt8>, _ base: Int) -> Bool {
        bytes[position - base - 1] == UInt8(ascii: "&")
    }
}
