// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The headers asked for, in one byte string that differs if one of them does.
enum HeaderKey {
    /// The key of a recorded request.
    static func key(of pattern: RequestPattern, names: [String]) -> [UInt8] {
        key(of: values(of: names, in: pattern.headers))
    }

    /// The key of an incoming request.
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

    /// The value of each name, the values of several lines joined (RFC 9110 section 5.3); `nil` where there is none.
    static func values(of names: [String], in headers: [HeaderLine]) -> [[UInt8]?] {
        names.map { name in
            let lines = headers.filter { $0.hasName(name) }
            return lines.isEmpty ? nil : Array(lines.map(\.valueBytes).joined(separator: ", ".utf8))
        }
    }
}
