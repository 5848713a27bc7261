// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of the corpus: the cases of one family of APIs.
struct CorpusFamily: Decodable {
    var family: String
    var cases: [CorpusCase]

    /// Reads all families in the order of their file names.
    static func all(in folder: URL) throws -> [CorpusFamily] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { $0.hasSuffix(".json") }.map { name in
            try JSONDecoder().decode(Self.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
        }
    }
}

/// A conversation with an API, and the values in it that must or must not reach the disk.
///
/// All texts are templates, see ``CorpusTemplate``.
struct CorpusCase: Decodable {
    var name: String
    /// The spelling or the place that the case is about, such as `json-in-json`.
    var `class`: String
    /// The secrets by their names. Another client has others.
    var secrets: [String: String]?
    /// Values that change from request to request and are no secrets: nonces, dates, signatures.
    var fresh: [String: String]?
    /// Values that stay the same, and texts that are made of other values.
    var values: [String: String]?
    /// Texts that must be kept wherever they occur.
    var innocent: [String]?
    /// Texts of responses that clients of a replay must see.
    var plays: [String]?
    var exchanges: [CorpusExchange]
    /// Whether the conversation is recorded for two users, who differ only in their secrets and in the answers.
    var users: Bool?
    /// Whether a client with other secrets finds the recordings. By default, it does.
    var again: Bool?
}

/// One request and its response.
struct CorpusExchange: Decodable {
    var request: Request
    var response: Response?
    /// The values that a client takes from the response that it gets, for its next requests.
    var take: [String: Taken]?

    struct Request: Decodable {
        var method: String?
        var url: String
        var headers: [String]?
        var body: String?
        var encoding: String?
    }

    struct Response: Decodable {
        var status: Int?
        var headers: [String]?
        var body: String?
        var encoding: String?
        var chunks: [String]?
        /// The size of the pieces in which the body arrives.
        var cut: Int?
    }

    /// A part of a response: the text between two others, in the head or the body.
    struct Taken: Decodable {
        var after: String
        var before: String
        /// What a client decodes the value as: `jwt`, `uuid`, `hex`, `base64`, or `digits`.
        var shape: String?
    }
}
