// SPDX-License-Identifier: Apache-2.0

private import RepriseCassettes

/// A file that is not a fixture, but whose name or first bytes tell what it is: a file of another tool, or a fixture
/// under another name.
struct ForeignFile: Hashable {
    /// What the file is, such as `a Postman collection`.
    let name: String
    private let advice: String
    /// Whether its content is a fixture, and only its name is wrong.
    let isMisnamed: Bool
    /// The ends of names that are enough to recognize the file, in lowercase.
    private let endings: [String]
    /// Texts in the start of the file, of which each word must occur. The start has a line feed before it, no spaces,
    /// tabs, or carriage returns, and single quotes in place of double ones.
    private let marks: [String]

    private static let record = "run its requests through 'mockserver record'"
    private static let recordAgain = "record its requests again with 'mockserver record'"
    private static let byHand = "write a route file or a stub mapping for each of its answers"
    private static let export = "export it as a HAR file (*.har)"
    private static let convert = "convert it with 'mitmdump -nr FILE --set hardump=FILE.har'"
    private static let asHAR = "rename it to end in .har"

    /// The files, the more specific ones first.
    private static let all: [ForeignFile] = [
        .init(renamed: "a cassette", "rename it to end in .cassette.json", ["\n{'reprise':", "\n{\n'reprise':"]),
        .init(renamed: "a Polly.js recording, which is a HAR file", asHAR, ["'_recordingName':"]),
        .init(renamed: "a HAR file", asHAR, ["'log':{ 'creator':{", "'log':{ 'entries':["]),
        .init("an OpenAPI description", byHand, ["'openapi':'3", "'swagger':'2", "\nopenapi:", "\nswagger:"]),
        .init("a Postman collection", record, ["'_postman_id':", "schema.getpostman.com"]),
        .init("a Postman environment", byHand, ["'_postman_variable_scope':"]),
        .init("a Pact contract", byHand, ["'consumer':{ 'provider':{"]),
        .init("a Betamax tape", recordAgain, ["\n!tape"]),
        .init("a Betamax or VCR cassette", recordAgain, ["'http_interactions':["]),
        .init("a VCR cassette", recordAgain, ["\nhttp_interactions:", "\ninteractions:", "'interactions':["]),
        .init("a nock recording", recordAgain, ["'scope':'http 'path':"]),
        .init("a Hoverfly simulation", byHand, ["'pairs':[", "'hoverflyVersion':"]),
        .init("a mountebank imposter", byHand, ["'imposters':[", "'protocol': 'stubs':["]),
        .init("a MockServer expectation", byHand, ["'httpRequest':{"]),
        .init("a Mockoon environment", byHand, ["'endpointPrefix':", "'lastMigration':"]),
        .init(
            "an Insomnia export",
            record,
            ["'__export_format':", "\n__export_format:", "collection.insomnia.rest"]
        ),
        .init("a Charles session", export, endings: [".chls", ".chlsj", ".chlsx", ".chlz"]),
        .init("a Charles session", export, ["'status':'COMPLETE' 'protocolVersion':", "<charles-session"]),
        .init("a Fiddler session", export, endings: [".saz"]),
        .init("a mitmproxy flow file", convert, endings: [".flow", ".flows", ".mitm", ".mitmdump"]),
        .init("a Proxyman session", export, endings: [".proxymansession", ".proxymanlog", ".proxymanlogv2"]),
        .init("a Burp Suite export", recordAgain, ["<itemsburpVersion="]),
        .init(renamed: "a ZIP archive", "if it contains a HAR file, rename it to end in .har.zip", endings: [".zip"]),
        .init(
            "a stub in YAML",
            "write it as a stub mapping in JSON (*.stub.json)",
            [
                "\nrequest: \nresponse:", "\n-request: \nresponse:",
            ]
        ),
        .init(
            renamed: "a stub mapping",
            "move it to mappings/, or rename it to end in .stub.json",
            [
                "'request':{ 'response':{"
            ]
        ),
    ]

    private init(_ name: String, _ advice: String, _ marks: [String] = [], endings: [String] = []) {
        (self.name, self.advice, isMisnamed) = (name, "which Reprise doesn't read; \(advice)", false)
        (self.marks, self.endings) = (marks, endings)
    }

    private init(renamed name: String, _ advice: String, _ marks: [String] = [], endings: [String] = []) {
        (self.name, self.advice, isMisnamed, self.marks, self.endings) = (name, advice, true, marks, endings)
    }

    /// The ends of names of files whose start is read. Everything else in a folder is data.
    private static let textEndings = [".json", ".yaml", ".yml", ".xml", ".har", ".postman_collection"]
    private static let startSize = 4096

    /// Recognizes a file by its name, or else by its start.
    init?(at location: String) {
        let name = location.lowercased()
        func find(_ isRecognized: (ForeignFile) -> Bool) -> ForeignFile? { Self.all.first(where: isRecognized) }
        if let file = find({ $0.endings.contains { name.hasSuffix($0) } }) {
            self = file
        } else if Self.textEndings.contains(where: { name.hasSuffix($0) }),
            let bytes = FixtureFileReader.start(of: location, count: Self.startSize)?.filter({
                ![0x20, 0x09, 0x0D].contains($0)
            }),
            case let start = "\n" + String(decoding: bytes.map { $0 == 0x22 ? 0x27 : $0 }, as: UTF8.self),
            let file = find({ $0.marks.contains { $0.split(separator: " ").allSatisfy { start.contains($0) } } })
        {
            self = file
        } else {
            return nil
        }
    }

    /// What the file is and what to do. Messages put it after "expected …, found".
    var found: String { "\(name)\(isMisnamed ? ";" : ",") \(advice)" }
}
