// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The keys of HAR 1.2 and of its writers that matter for replaying, for all objects.
enum HARKey: String, JSONMemberKey {
    case log, entries
    case startedDateTime, time, request, response, timings
    case eventSourceMessages = "_eventSourceMessages"
    case webSocketMessages = "_webSocketMessages"
    case method, url, headers, postData, bodySize
    case status, statusText, httpVersion, content, redirectURL
    case mimeType, text, encoding, size, params
    /// Why a browser or Playwright has no complete response.
    case error = "_error"
    case failureText = "_failureText"
    case wasAborted = "_wasAborted"
    /// Playwright's names of a body file.
    case file = "_file"
    case sha1 = "_sha1"
    case truncated = "_truncated"
    case name, value, fileName
    /// The key that tools use for the coding of a request body. HAR does not define one.
    case customEncoding = "_encoding"
    case wait
    case eventName, eventId, data

    static let table = JSONKeyTable<HARKey>()
}
