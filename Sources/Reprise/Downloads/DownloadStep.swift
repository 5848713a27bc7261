// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a response means for a download of which some bytes were already received.
enum DownloadStep: Sendable, Hashable {
    /// The content starts from the beginning, so the received bytes are discarded.
    case restart
    /// The content continues after the received bytes.
    ///
    /// - Parameters:
    ///   - end: The position after the last byte of this response.
    ///   - total: The size of the complete content, or nil if it is not known.
    case append(end: Int, total: Int?)
    /// The received bytes are the complete content.
    case complete
    /// The response is of no use. The request has to be sent again without a range.
    case repeatWithoutRange

    /// Creates the step for a response to a request for the rest of the content.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - offset: The position from which the content was requested. 0 means that no range was requested.
    ///   - validator: The value of If-Range.
    init(_ response: HTTPResponse, offset: Int, validator: String?) {
        let range = ContentRange(response)
        switch response.status.code {
        case _ where offset == 0: self = .restart
        case 206:
            // Another range would leave a gap or repeat bytes, and another version would mix two contents.
            if let range, let bytes = range.bytes, bytes.lowerBound == offset, response.mayBelong(to: validator) {
                self = .append(end: bytes.upperBound, total: range.total)
            } else {
                self = .repeatWithoutRange
            }
        case 416:
            self = range?.total == offset && response.mayBelong(to: validator) ? .complete : .repeatWithoutRange
        default: self = .restart
        }
    }
}

extension HTTPResponse {
    private var isCoded: Bool { headerFields[.contentEncoding]?.contentCodings.isEmpty == false }

    /// Whether the content has the version with this validator, as far as the response says. Some servers ignore
    /// If-Range.
    fileprivate func mayBelong(to validator: String?) -> Bool {
        if isCoded { return false }
        guard let validator else { return true }
        let isTag = validator.utf8.first == UInt8(ascii: "\"")
        return headerFields[isTag ? .eTag : .lastModified].map { $0 == validator } ?? true
    }

    /// The value for If-Range that identifies exactly this content, or nil if the server sent none that is strong
    /// enough (RFC 9110 section 13.1.5).
    var rangeValidator: String? {
        let fields = headerFields
        // The bytes of coded content depend on the server's encoder.
        if isCoded { return nil }
        if fields[.acceptRanges]?.lowercased() == "none" { return nil }
        if let tag = fields[.eTag] { return tag.utf8.first == UInt8(ascii: "\"") ? tag : nil }
        // A date is strong if the content was not changed again in the same second (section 8.8.2.2).
        guard let modified = fields[.lastModified], let date = fields[.date], let changed = HTTPDate(modified),
            let sent = HTTPDate(date), sent.seconds > changed.seconds
        else { return nil }
        return modified
    }
}
