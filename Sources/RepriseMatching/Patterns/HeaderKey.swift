// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The headers asked for, in one byte string that differs if one of them does.
enum HeaderKey {
    /// The key of a recorded request.
    static func key(of pattern: RequestPattern, names: [String]) -> [UInt8] {
        names.isEmpty ? [] : key(of: values(of: names, in: pattern.headers), count: names.count)
    }

    /// The key of the values of an incoming request.
    static func key(of values: [[UInt8]?], count: Int) -> [UInt8] {
        var key: [UInt8] = []
        for index in 0..<count {
            if index < values.count, let value = values[index] {
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
