// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The keys of HAR 1.2 that matter for replaying, for all of its objects.
enum HARKey: String, Sendable, CaseIterable {
    case log, entries
    case startedDateTime, time, request, response, timings
    case eventSourceMessages = "_eventSourceMessages"
    case webSocketMessages = "_webSocketMessages"
    case method, url, headers, postData, bodySize
    case status, statusText, httpVersion, content
    case mimeType, text, encoding, size, params
    case name, value, fileName
    /// The key that tools use for the coding of a request body. HAR does not define one.
    case customEncoding = "_encoding"
    case wait
    case eventName, eventId, data

    static let table = JSONKeyTable<HARKey>()
}
