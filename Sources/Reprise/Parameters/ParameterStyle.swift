// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The way an `Encodable` value is written as parameters.
///
/// Each property is a parameter, in the order of encoding; nil is omitted. A nested value is written `a[b]=c`, and an
/// array element that is not a single value is written `a[0][b]=c`. Dictionary keys are sorted and never change their
/// spelling, whatever the value of ``keys``.
public struct ParameterStyle: Sendable {
    /// The spelling of keys. By default, they stay unchanged.
    public var keys: Keys
    /// The format of arrays of single values. The default is `a=1&a=2`.
    public var arrays: Arrays
    /// The format of dates. The default is `2026-11-21T09:00:00Z`.
    public var dates: Dates

    /// Creates a style.
    public init(keys: Keys = .unchanged, arrays: Arrays = .repeated, dates: Dates = .iso8601) {
        self.keys = keys
        self.arrays = arrays
        self.dates = dates
    }

    /// The spelling of keys.
    public enum Keys: Sendable {
        /// `userName` stays `userName`.
        case unchanged
        /// `userName` becomes `user_name`, and `URLPath` becomes `url_path`.
        case snakeCase
        /// The spelling that the closure returns.
        case custom(@Sendable (String) -> String)
    }

    /// The format of arrays of single values.
    public enum Arrays: Sendable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`
        case brackets
        /// `a=1,2`, a single parameter. Commas within values are escaped, but these are not (RFC 6570 section 3.2.8).
        /// Fields of a multipart form are not escaped, so the two kinds of commas cannot be distinguished there.
        case commas
    }

    /// The format of dates.
    public enum Dates: Sendable {
        /// `2026-11-21T09:00:00Z`, in UTC and whole seconds (RFC 3339).
        case iso8601
        /// The number of seconds since 1970-01-01 UTC, without a fraction.
        case seconds
        /// The number of milliseconds since 1970-01-01 UTC, without a fraction.
        case milliseconds
        /// The text that the closure returns. If it throws, the call fails.
        case custom(@Sendable (Date) throws -> String)
    }
}

extension ParameterStyle.Keys {
    func spelling(of key: String) -> String {
        switch self {
        case .unchanged: key
        case .snakeCase: Self.snakeCase(key)
        case .custom(let spell): spell(key)
        }
    }

    /// Returns the key in snake case. A word begins at a capital letter after a character that is not a capital, or
    /// at the last of several capitals before a lowercase letter.
    private static func snakeCase(_ key: String) -> String {
        let letters = Array(key)
        var snake = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0, letters[index - 1] != "_" {
                let isBehindSmall = !letters[index - 1].isUppercase
                let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
                if isBehindSmall || isBeforeSmall { snake += "_" }
            }
            snake += letter.lowercased()
        }
        return snake
    }
}

extension ParameterStyle.Dates {
    func text(of date: Date) throws -> String {
        switch self {
        case .iso8601: return date.formatted(.iso8601)
        case .seconds: return try Self.whole(date.timeIntervalSince1970)
        case .milliseconds: return try Self.whole(date.timeIntervalSince1970 * 1000)
        case .custom(let spell): return try spell(date)
        }
    }

    private static func whole(_ number: Double) throws -> String {
        guard let whole = Int64(exactly: number.rounded(.down)) else {
            throw ClientError(
                .invalidParameters,
                "expected a date whose timestamp fits in 64 bits, found one that is out of range"
            )
        }
        return String(whole)
    }
}
