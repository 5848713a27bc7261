// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One entry of a capture as it is written: strings are where they stand in the file, so that nothing is decoded that
/// is not needed, and no body is held twice.
struct HAREntry {
    /// A name and its value: a header line, or a field of a form.
    struct Pair {
        var name: Range<Int>?
        var value: Range<Int>?
        /// Whether the value is a file's.
        var isFile = false
    }

    /// The body of a request or of a response.
    struct Body {
        var mimeType: Range<Int>?
        var text: Range<Int>?
        /// Where the text stands.
        var place: JSONPlace?
        var encoding: Range<Int>?
        var size: Int?
        var params: [Pair] = []
    }

    /// One message of a stream of server-sent events, as Chrome keeps it.
    struct Message {
        /// In seconds.
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
