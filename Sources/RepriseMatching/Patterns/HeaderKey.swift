// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Combines the values of the compared header fields into one byte string that differs if any value differs.
enum HeaderKey {
    /// Returns the key of a recorded request.
    static func key(of pattern: RequestPattern, names: [String]) -> [UInt8] {
        key(of: values(of: names, in: pattern.headers))
    }

    /// Returns the key of an incoming request.
    static func key(of request: RequestView, names: [String]) -> [UInt8] {
        key(of: names.map { request.joinedValue(named: $0) })
    }

    private static func key(of values: [[UInt8]?]) -> [UInt8] {
        var key: [UInt8] = []
        for value in values {
            if let value {
                key.append(contentsOf: "\(value.count):".utf8)
                key.append(contentsOf: value)
            }
            key.append(UInt8(ascii: ";"))
        }
        return key
    }

    /// Returns the value of each header field with one of these names, joining the values of several lines (RFC 9110
    /// section 5.3). The value is `nil` if the field is missing.
    static func values(of names: [String], in headers: [HeaderLine]) -> [[UInt8]?] {
        names.map { name in
            let lines = headers.filter { $0.hasName(name) }
            return lines.isEmpty ? nil : Array(lines.map(\.valueBytes).joined(separator: ", ".utf8))
        }
    }
}
