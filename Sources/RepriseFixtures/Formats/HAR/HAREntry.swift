// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One entry of a HAR file as written. Strings are stored as ranges in the file, so unneeded strings are never
/// decoded and no body is stored twice.
struct HAREntry {
    /// A name and its value: a header line or a form field.
    struct Pair {
        var name: Range<Int>?
        var value: Range<Int>?
        /// Whether the value is a file.
        var isFile = false
    }

    /// The body of a request or of a response.
    struct Body {
        var mimeType: Range<Int>?
        var text: Range<Int>?
        /// The position of the text.
        var place: JSONPlace?
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
        var place: JSONPlace
        var headers: [Pair] = []
        var body = Body()
        var bodySize: Int?
        var method: Range<Int>?
        var url: Range<Int>?
        var status: Int?
        var statusText: Range<Int>?
        var httpVersion: Range<Int>?
    }

    var place: JSONPlace
    var started: Range<Int>?
    var time: Double?
    var wait: Double?
    var request: Part?
    var response: Part?
    var messages: [Message] = []
    var isWebSocket = false
}
