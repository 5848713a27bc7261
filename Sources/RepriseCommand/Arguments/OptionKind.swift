// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RepriseFixtures
import RepriseMatching
import RepriseQueries
import RepriseRecording
import RepriseServer
import RepriseText

/// A kind of option value, parsed the same way from the command line and from the environment.
struct OptionKind<Value> {
    /// A description of the valid values, which follows "expected" in messages.
    private let expected: String
    private let parse: (String) -> Value?

    /// - Parameter parse: Parses a value; nil if the text is invalid.
    init(_ expected: String, _ parse: @escaping (String) -> Value?) {
        self.expected = expected
        self.parse = parse
    }

    /// Parses the argument of `option`, or else the value of its environment variable; nil if neither is given.
    func value(_ argument: String?, _ option: String) throws -> Value? {
        let variable = EnvironmentVariable(of: option)
        if let argument { return try parsed(argument, from: option) }
        return try variable.text().map { try parsed($0, from: variable.name) }
    }

    /// Parses the arguments of a repeatable `option`, or else the list in its environment variable.
    func values(_ arguments: [String], _ option: String) throws -> [Value] {
        let (texts, place) = EnvironmentVariable(of: option).list(unless: arguments, option)
        return try texts.map { try parsed($0, from: place) }
    }

    /// - Parameter place: An option or an environment variable.
    /// - Throws: `ValidationError` with the place and the expected values.
    private func parsed(_ text: String, from place: String) throws -> Value {
        guard let value = parse(text) else {
            throw ValidationError("\(place): expected \(expected), found '\(text)'")
        }
        return value
    }
}

extension OptionKind<Int> {
    /// A TCP port; 0 selects a free one.
    static var port: Self { Self("a port from 0 to 65535") { UInt16($0).map { Int($0) } } }

    static var threads: Self { Self("a number of threads from 1 to 256") { number($0, in: 1...256) } }

    static var journalEntries: Self {
        Self("a number of requests from 1 to 10000000") { number($0, in: 1...10_000_000) }
    }

    static var requestLimit: Self { Self("a number of requests such as 10") { number($0, in: 1...Int.max) } }

    /// A number of bytes, with an optional unit.
    static var byteCount: Self {
        Self("a size from 1KiB to 64GiB, such as 65536, 64KiB, or 16MiB") { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
            guard let count = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
            let (size, overflow) = count.multipliedReportingOverflow(by: unit)
            return !overflow && (1024...(64 << 30)).contains(size) ? size : nil
        }
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension OptionKind<UInt64> {
    static var seed: Self { Self("a whole number such as 42") { UInt64($0) } }
}

extension OptionKind<Date> {
    static var time: Self {
        Self("a time in ISO 8601 such as 2026-01-31T12:00:00Z") { try? Date($0, strategy: .iso8601) }
    }
}

extension OptionKind<String> {
    /// A JSON pointer (RFC 6901).
    static var pointer: Self { Self("a JSON pointer such as /requestId") { Matcher.isPointer($0) ? $0 : nil } }

    /// The name of a header field, a token (RFC 9110 section 5.6.2).
    static var headerName: Self {
        Self("the name of a header such as Accept-Language") {
            !$0.isEmpty && $0.utf8.allSatisfy(isTokenByte) ? $0 : nil
        }
    }

    static var adminHost: Self {
        Self("a name or an address without a port, such as mock or 10.0.2.2") {
            MockServer.Admin.isHost($0) ? $0 : nil
        }
    }

    /// A regular expression for the names of environment variables.
    static var systemKeys: Self {
        Self("a regular expression such as APP_.*") { (try? FoundationPattern($0)) == nil ? nil : $0 }
    }
}

extension OptionKind<AfterLast> {
    static var afterLast: Self { Self("repeat, miss, or restart") { AfterLast(rawValue: $0) } }
}

extension OptionKind<RecordingMode> {
    static var mode: Self { Self("append, once, or overwrite") { RecordingMode(rawValue: $0) } }
}

extension OptionKind<Pace> {
    static var pace: Self {
        Self("recorded, instant, or a factor such as 0.1") { text in
            switch text {
            case "recorded": .recorded
            case "instant": .instant
            default: Double(text).flatMap { $0.isFinite && $0 >= 0 ? .factor($0) : nil }
            }
        }
    }
}

extension OptionKind<Latency> {
    static var latency: Self {
        Self("none, recorded, milliseconds such as 200, or a range of them such as 200..800") { text in
            switch text {
            case "none": return Latency.none
            case "recorded": return .recorded
            default:
                guard let dots = text.firstRange(of: "..") else { return milliseconds(text).map { .fixed($0) } }
                guard let first = milliseconds(text[..<dots.lowerBound]),
                    let last = milliseconds(text[dots.upperBound...]), first <= last
                else { return nil }
                return .uniform(first...last)
            }
        }
    }

    /// Parses at most one day, so that typing errors are noticed.
    private static func milliseconds(_ text: some StringProtocol) -> Duration? {
        guard let number = Double(text), (0...86_400_000).contains(number) else { return nil }
        return .milliseconds(number)
    }
}
