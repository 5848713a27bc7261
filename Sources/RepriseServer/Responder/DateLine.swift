// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The Date line of the server's own answers (RFC 9110 section 6.6.1), written once a second. Used only on one loop's
/// thread.
final class DateLine {
    private var bytes: [UInt8] = []
    private var end = MonotonicTime(nanoseconds: 0)
    private let secondsSinceEpoch: () -> Double

    /// - Parameter secondsSinceEpoch: Returns the time since January 1, 1970.
    init(secondsSinceEpoch: @escaping () -> Double = { Date().timeIntervalSince1970 }) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Returns the line, with CR LF, at `now`.
    func line(at now: MonotonicTime) -> [UInt8] {
        if now >= end { write(at: now) }
        return bytes
    }

    private func write(at now: MonotonicTime) {
        let time = max(0, secondsSinceEpoch())
        let second = time.rounded(.down)
        bytes = Array("Date: \(CalendarTime(seconds: Int(second)).httpText)\r\n".utf8)
        end = now.advanced(byNanoseconds: UInt64((second + 1 - time) * 1e9))
    }
}
