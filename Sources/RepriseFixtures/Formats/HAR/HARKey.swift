// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The keys of HAR 1.2 that matter to replaying, in all its objects.
enum HARKey: String, Sendable, CaseIterable {
    case log, entries
    case startedDateTime, time, request, response, timings
    case eventSourceMessages = "_eventSourceMessages"
    case webSocketMessages = "_webSocketMessages"
    case method, url, headers, postData, bodySize
    case status, statusText, httpVersion, content
    case mimeType, text, encoding, size, params
    case name, value, fileName
    /// Where tools put the coding of a request's body, for which HAR has no key.
    case customEncoding = "_encoding"
    case wait
    case eventName, eventId, data

    static let table = JSONKeyTable<HARKey>()
}
