// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How an `Encodable` value is spelled as parameters.
///
/// Its properties are parameters, in the order in which they are encoded; nil is left out. A value within is `a[b]=c`,
/// an element that is no single value `a[0][b]=c`. The keys of a dictionary go out as they are, sorted, whatever
/// ``keys`` says.
public struct ParameterStyle: Sendable {
    /// How keys are spelled. As they are by default.
    public var keys: Keys
    /// How arrays of single values are spelled. `a=1&a=2` by default.
    public var arrays: Arrays
    /// How dates are spelled. As in `2026-11-21T09:00:00Z` by default.
    public var dates: Dates

    /// A style, each part of which may be left at its default.
    public init(keys: Keys = .asTheyAre, arrays: Arrays = .repeated, dates: Dates = .iso8601) {
        self.keys = keys
        self.arrays = arrays
        self.dates = dates
    }

    /// How keys are spelled.
    public enum Keys: Sendable {
        /// `userName` is `userName`.
        case asTheyAre
        /// `userName` is `user_name`, and `URLPath` is `url_path`.
        case snakeCase
        /// As the closure says.
        case custom(@Sendable (String) -> String)
    }

    /// How arrays of single values are spelled.
    public enum Arrays: Sendable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`
        case brackets
        /// `a=1,2`: one parameter. A comma within a value is escaped, and this one not (RFC 6570 section 3.2.8); a field
        /// of a multipart form has no escapes, so that there the two look the same.
        case commas
    }

    /// How dates are spelled.
    public enum Dates: Sendable {
        /// As in `2026-11-21T09:00:00Z`: in UTC, in seconds (RFC 3339).
        case iso8601
        /// The seconds since 1970-01-01, in UTC, without fractions.
        case seconds
        /// The milliseconds since 1970-01-01, in UTC, without fractions.
        case milliseconds
        /// As the closure says; what it throws fails the call.
        case custom(@Sendable (Date) throws -> String)
    }
}

extension ParameterStyle.Keys {
    /// The key as it goes out.
    func spelling(of key: String) -> String {
        switch self {
        case .asTheyAre: key
        case .snakeCase: Self.snakeCase(key)
        case .custom(let spell): spell(key)
        }
    }

    /// A word begins with a capital behind what is none, or with the last capital of several before a small letter.
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
    /// The date as it goes out.
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
            throw ClientError(.invalidParameters, "the date is too far away to be a number")
        }
        return String(whole)
    }
}
