// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One entry of a HAR file as written. Strings are stored as ranges in the file, so unneeded strings are never
/// decoded and no body is stored twice.
struct HAREntry {
    /// A name and its value: a header line or a form field.
    struct Pair {
        var name: Range<Int>?
        var value: Range<Int>?
        /// Further values, if the value is an array: Polly.js writes header lines with the same name so.
        var more: [Range<Int>] = []
        /// Whether the value is a file.
        var isFile = false
    }

    /// The body of a request or of a response.
    struct Body {
        var mimeType: Range<Int>?
        var text: Range<Int>?
        /// The name of the file with the content.
        var file: Range<Int>?
        /// Why the text is not the content.
        var fault: String?
        var encoding: Range<Int>?
        var size: Int?
        var params: [Pair] = []
    }

    /// One message of a stream of server-sent events, as Chrome records it.
    struct Message {
        /// The time in seconds.
        var time: Double?
        var eventName: Range<Int>?
        var eventId: Range<Int>?
        var data: Range<Int>?
    }

    /// A request or a response.
    struct Part {
        var place: TextPlace
        var headers: [Pair] = []
        var body = Body()
        var bodySize: Int?
        var method: Range<Int>?
        var url: Range<Int>?
        var status: Int?
        var statusText: Range<Int>?
        var httpVersion: Range<Int>?
        var redirectURL: Range<Int>?
        /// Why the response failed.
        var failure: Range<Int>?
    }

    var place: TextPlace
    var started: Range<Int>?
    var time: Double?
    var wait: Double?
    var request: Part?
    var response: Part?
    var messages: [Message] = []
    var isWebSocket = false
    /// Why the exchange failed.
    var failure: Range<Int>?
}

/// Why an entry is left out, for a message that names it.
struct HAROmission: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
