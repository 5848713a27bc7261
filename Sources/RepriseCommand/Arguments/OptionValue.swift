// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseMatching
import RepriseServer
import RepriseText

/// The value of an option, parsed the same way from the command line and from the environment.
protocol OptionValue {
    /// A description of the valid values, which follows "expected" in messages.
    static var expected: String { get }

    /// Parses a value; nil if the text is invalid.
    init?(text: String)
}

extension OptionValue {
    /// Parses a value from `place`, which is an option or an environment variable.
    ///
    /// - Throws: `ValidationError` with the place and the expected values.
    static func parsed(_ text: String, from place: String) throws -> Self {
        guard let value = Self(text: text) else {
            throw ValidationError("\(place): expected \(expected), found '\(text)'")
        }
        return value
    }

    /// Parses the argument of `option`, or else the value of its environment variable.
    static func resolved(_ argument: String?, _ option: String) throws -> Self? {
        if let argument { return try parsed(argument, from: option) }
        return try EnvironmentVariable(of: option).parsed()
    }
}

/// A TCP port; 0 selects a free one.
struct Port: OptionValue {
    static let expected = "a port from 0 to 65535"

    let number: Int

    init?(text: String) {
        guard let number = UInt16(text) else { return nil }
        self.number = Int(number)
    }
}

struct ThreadCount: OptionValue {
    static let expected = "a number of threads from 1 to 256"

    let number: Int

    init?(text: String) {
        guard let number = Int(text), (1...256).contains(number) else { return nil }
        self.number = number
    }
}

/// A number of requests in the journal.
struct JournalEntries: OptionValue {
    static let expected = "a number of requests from 1 to 10000000"

    let number: Int

    init?(text: String) {
        guard let number = Int(text), (1...10_000_000).contains(number) else { return nil }
        self.number = number
    }
}

/// A number of bytes, with an optional unit.
struct ByteCount: OptionValue {
    static let expected = "a size from 1KiB to 64GiB, such as 65536, 64KiB, or 16MiB"

    let number: Int

    init?(text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        guard let count = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        let (size, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, (1024...(64 << 30)).contains(size) else { return nil }
        number = size
    }
}

extension AfterLast: OptionValue {
    static let expected = "repeat, miss, or restart"

    init?(text: String) {
        self.init(rawValue: text)
    }
}

extension Latency: OptionValue {
    static let expected = "none, recorded, milliseconds such as 200, or a range of them such as 200..800"

    init?(text: String) {
        switch text {
        case "none": self = .none
        case "recorded": self = .recorded
        default:
            guard let dots = text.firstRange(of: "..") else {
                guard let delay = Self.milliseconds(text) else { return nil }
                self = .fixed(delay)
                return
            }
            guard let first = Self.milliseconds(text[..<dots.lowerBound]),
                let last = Self.milliseconds(text[dots.upperBound...]), first <= last
            else { return nil }
            self = .uniform(first...last)
        }
    }

    /// Parses at most one day, so that typing errors are noticed.
    private static func milliseconds(_ text: some StringProtocol) -> Duration? {
        guard let number = Double(text), (0...86_400_000).contains(number) else { return nil }
        return .milliseconds(number)
    }
}

/// The seed of random choices.
struct Seed: OptionValue {
    static let expected = "a whole number such as 42"

    let number: UInt64

    init?(text: String) {
        guard let number = UInt64(text) else { return nil }
        self.number = number
    }
}

extension Pace: OptionValue {
    static let expected = "recorded, instant, or a factor such as 0.1"

    init?(text: String) {
        switch text {
        case "recorded": self = .recorded
        case "instant": self = .instant
        default:
            guard let factor = Double(text), factor.isFinite, factor >= 0 else { return nil }
            self = .factor(factor)
        }
    }
}

/// A JSON pointer (RFC 6901).
struct PointerText: OptionValue {
    static let expected = "a JSON pointer such as /requestId"

    let text: String

    init?(text: String) {
        guard Matcher.isPointer(text) else { return nil }
        self.text = text
    }
}

/// The name of a header field, a token (RFC 9110 section 5.6.2).
struct HeaderName: OptionValue {
    static let expected = "the name of a header such as Accept-Language"

    let text: String

    init?(text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy(isTokenByte) else { return nil }
        self.text = text
    }
}
