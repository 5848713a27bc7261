// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a header field that can be a secret: a cookie, the credentials after a scheme, a parameter, or the
/// whole value.
struct HeaderPieces {
    /// A part.
    struct Piece {
        /// The scheme of credentials in lower case (RFC 9110 section 11.4); empty if there is none, and for credentials
        /// whatever their scheme is.
        var scheme: [UInt8]
        /// The name of a cookie or a parameter; `nil` for everything after the scheme.
        var name: [UInt8]?
        /// The part in the value of the field.
        var range: Range<Int>
    }

    private(set) var pieces: [Piece] = []

    /// The fields that start with a scheme.
    private static let schemeFields = [Array("authorization".utf8), Array("proxy-authorization".utf8)]
    private static let cookie = Array("cookie".utf8)

    /// Finds the parts of a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field in lower case.
    ///   - value: Its value.
    init(_ name: [UInt8], _ value: [UInt8]) {
        if name == Self.cookie {
            for cookie in RequestCookie.cookies(in: value[...]) where cookie.name.allSatisfy(isTokenByte) {
                let range = cookie.written.startIndex..<cookie.written.endIndex
                pieces.append(Piece(scheme: [], name: Array(cookie.name), range: range))
            }
            return
        }
        var start = 0
        var scheme: [UInt8] = []
        if Self.schemeFields.contains(name), let space = value.firstIndex(of: 0x20),
            value[..<space].allSatisfy(isTokenByte)
        {
            scheme = value[..<space].map(\.asciiLowercased)
            start = value[space...].firstIndex { $0 != 0x20 } ?? value.endIndex
        }
        appendParameters(value, from: start, scheme: scheme)
        // A single parameter is more likely a value with an equals sign, such as Base64.
        if pieces.count < 2 { pieces = [] }
        pieces.append(Piece(scheme: scheme, name: nil, range: start..<value.endIndex))
        // In a recording, a stand-in can also take the place of the scheme.
        if !scheme.isEmpty { pieces.append(Piece(scheme: [], name: nil, range: start..<value.endIndex)) }
    }

    private mutating func appendParameters(_ value: [UInt8], from start: Int, scheme: [UInt8]) {
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";")]
        var start = start
        while start < value.endIndex {
            var end = start
            var isQuoted = false
            while end < value.endIndex, isQuoted || !separators.contains(value[end]) {
                if value[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                end += 1
            }
            append(value[start..<end].trimmingBlanks.indices, of: value, scheme: scheme)
            start = end + 1
        }
    }

    private mutating func append(_ range: Range<Int>, of value: [UInt8], scheme: [UInt8]) {
        guard let equals = value[range].firstIndex(of: UInt8(ascii: "=")), equals > range.lowerBound,
            value[range.lowerBound..<equals].allSatisfy(isTokenByte)
        else { return }
        var content = equals + 1..<range.upperBound
        if content.count >= 2, value[content.lowerBound] == UInt8(ascii: "\""),
            value[content.upperBound - 1] == UInt8(ascii: "\"")
        {
            content = content.lowerBound + 1..<content.upperBound - 1
        }
        pieces.append(Piece(scheme: scheme, name: Array(value[range.lowerBound..<equals]), range: content))
    }
}
