// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
public import RepriseStubs
internal import RepriseText

/// A request that a server received, with its answer.
public struct ServeEvent: AdminModel {
    /// The identifier, a UUID in lowercase.
    public var id: String
    /// The request.
    public var request: LoggedRequest
    /// The answer.
    public var response: LoggedResponse
    /// Whether a stub, a recording, or another server answered; `false` for a miss and a request that was refused.
    public var wasMatched: Bool
    /// How long the answer took.
    public var timing: ServeTiming
    /// The stub that answered. A recording or route file is described as a stub, and a miss as a stub with status 404.
    public var stub: StubMapping
    /// Details that WireMock does not provide; `nil` in an answer from WireMock.
    public var origin: Origin?

    /// The source of an answer.
    public struct Origin: Sendable, Hashable {
        /// The file and line of the fixture that answered; `nil` if none did.
        public var fixture: String?
        /// The one-based position of the answer in its sequence; 0 if it did not advance one.
        public var ordinal: Int
        /// The session that the request belongs to; `nil` outside sessions.
        public var session: String?

        /// Creates an origin.
        public init(fixture: String? = nil, ordinal: Int = 0, session: String? = nil) {
            self.fixture = fixture
            self.ordinal = ordinal
            self.session = session
        }
    }

    /// Creates an event.
    public init(
        id: String,
        request: LoggedRequest,
        response: LoggedResponse,
        wasMatched: Bool,
        timing: ServeTiming = ServeTiming(),
        stub: StubMapping,
        origin: Origin? = nil
    ) {
        self.id = id
        self.request = request
        self.response = response
        self.wasMatched = wasMatched
        self.timing = timing
        self.stub = stub
        self.origin = origin
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a serve event")
        id = try fields.requiredString("id")
        request = try fields.requiredModel("request", as: LoggedRequest.self)
        response = try fields.model("response", as: LoggedResponse.self) ?? LoggedResponse(status: 0)
        wasMatched = try fields.boolean("wasMatched") ?? true
        timing = try fields.model("timing", as: ServeTiming.self) ?? ServeTiming()
        stub = try fields.model("stubMapping", as: StubMapping.self) ?? StubMapping()
        guard let own = try fields.object("reprise") else { return }
        origin = Origin(
            fixture: try own.string("fixture"),
            ordinal: try own.integer("ordinal") ?? 0,
            session: try own.string("session")
        )
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        var stub = stub.json
        var definition = stub["response"] ?? .object([])
        if !wasMatched {
            definition = definition.merged(with: ["fromConfiguredStub": false])
            stub = stub.merged(with: ["response": definition])
        }
        return .members([
            "id": .string(id),
            "request": request.json,
            "responseDefinition": definition,
            "response": response.json,
            "wasMatched": .bool(wasMatched),
            "timing": timing.json,
            "stubMapping": stub,
            "reprise": origin.map { origin in
                JSONTree.members([
                    "fixture": origin.fixture.map { .string($0) },
                    "ordinal": .integer(origin.ordinal),
                    "session": origin.session.map { .string($0) },
                ])
            },
        ])
    }
}

/// An answer that a server sent.
public struct LoggedResponse: AdminModel {
    /// The status; 0 if there was no response.
    public var status: Int
    /// The header fields, in order.
    public var headers: [NamedValues]
    /// The content; `nil` if it is unknown, because it was too long to keep or did not arrive in full.
    public var body: [UInt8]?
    /// The failure that the stub specifies, such as `EMPTY_RESPONSE`.
    public var fault: String?

    /// Creates a response.
    public init(status: Int, headers: [NamedValues] = [], body: [UInt8]? = nil, fault: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.fault = fault
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a response")
        status = try fields.integer("status") ?? 0
        headers = try [NamedValues](members: "headers", in: fields)
        body = try fields.bytes("bodyAsBase64")
        if body == nil { body = try fields.string("body").map { Array($0.utf8) } }
        fault = try fields.string("fault")
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        var members: JSONObject = ["status": .integer(status)]
        if !headers.isEmpty { members.append("headers", headers.json) }
        members.append("bodyAsBase64", body.map { .string(Base64.text($0)) })
        members.append("fault", fault.map { .string($0) })
        members.append("body", body.map { .string(String(decoding: $0, as: UTF8.self)) })
        return members.tree
    }
}

/// How long an answer took, in milliseconds.
public struct ServeTiming: AdminModel {
    /// The delay that the stub specifies.
    public var addedDelay: Int
    /// The time until the answer was found.
    public var processTime: Int
    /// The time to send the answer.
    public var responseSendTime: Int
    /// The time without the delay.
    public var serveTime: Int
    /// The total time.
    public var totalTime: Int

    /// Creates times.
    public init(
        addedDelay: Int = 0,
        processTime: Int = 0,
        responseSendTime: Int = 0,
        serveTime: Int = 0,
        totalTime: Int = 0
    ) {
        self.addedDelay = addedDelay
        self.processTime = processTime
        self.responseSendTime = responseSendTime
        self.serveTime = serveTime
        self.totalTime = totalTime
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "\"timing\"")
        addedDelay = try fields.integer("addedDelay") ?? 0
        processTime = try fields.integer("processTime") ?? 0
        responseSendTime = try fields.integer("responseSendTime") ?? 0
        serveTime = try fields.integer("serveTime") ?? 0
        totalTime = try fields.integer("totalTime") ?? 0
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        [
            "addedDelay": .integer(addedDelay), "processTime": .integer(processTime),
            "responseSendTime": .integer(responseSendTime), "serveTime": .integer(serveTime),
            "totalTime": .integer(totalTime),
        ]
    }
}
