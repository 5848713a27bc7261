// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// A stub, written by hand: the requests that it answers, and its answer. The value of a stub mapping in WireMock's
/// JSON format.
public struct StubMapping: Sendable, Hashable {
    /// The identifier, usually a UUID in lower case; `nil` until the stub is loaded.
    public var id: String?
    /// The name, which messages and the header field `Matched-Stub-Name` show.
    public var name: String?
    /// The precedence among matching stubs. The lowest number answers; `nil` is ``defaultPriority``.
    public var priority: Int?
    /// The scenario that the stub belongs to.
    public var scenario: Scenario?
    /// Whether a stub that was added to a running server is saved to a file.
    public var isPersistent: Bool?
    /// Any data for people and tools.
    public var metadata: JSONTree?
    /// The requests that the stub answers.
    public var request: StubRequest { didSet { spelling.request = nil } }
    /// The answer.
    public var response: StubResponse { didSet { spelling.response = nil } }
    /// The requests that are sent after the stub has answered.
    public var webhooks: [Webhook] { didSet { spelling.listeners = [] } }
    /// How the parts were spelled in the JSON that the stub was read from.
    package var spelling = StubSpelling()

    /// The priority of a stub that has none.
    public static let defaultPriority = 5

    /// Creates a stub.
    public init(_ request: StubRequest = StubRequest(), response: StubResponse = StubResponse()) {
        self.request = request
        self.response = response
        webhooks = []
    }

    /// The part of a stub in a scenario, a state machine whose state requests change. Every scenario begins in
    /// ``started``.
    public struct Scenario: Sendable, Hashable {
        /// The name of the scenario.
        public var name: String
        /// The state in which the stub answers; `nil` for every state.
        public var requiredState: String?
        /// The state of the scenario after the stub has answered; `nil` keeps the state.
        public var newState: String?

        /// The state in which every scenario begins.
        public static let started = "Started"

        /// Creates the part of a stub in a scenario.
        public init(name: String, requiredState: String? = nil, newState: String? = nil) {
            self.name = name
            self.requiredState = requiredState
            self.newState = newState
        }
    }
}

/// A request that is sent after a stub has answered.
public struct Webhook: Sendable, Hashable {
    /// The method. May be a template.
    public var method: String
    /// The absolute URL. May be a template.
    public var url: String
    /// The header fields, in order. Values may be templates.
    public var headers: [StubHeader]
    /// The content. Text may be a template.
    public var body: StubBodyText?
    /// The time between the answer and the request.
    public var delay: StubDelay?
    /// Any further values for templates.
    public var parameters: [JSONTree.Member]
    /// The points of an exchange at which the request is sent; `nil` for the default, after the answer.
    public var phases: [Phase]?

    /// A point of an exchange.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Before the stub for the request is looked up.
        case beforeMatch = "BEFORE_MATCH"
        /// After the stub was found.
        case afterMatch = "AFTER_MATCH"
        /// Before the answer is sent.
        case beforeResponseSent = "BEFORE_RESPONSE_SENT"
        /// After the answer was sent.
        case afterComplete = "AFTER_COMPLETE"
    }

    /// Creates a webhook.
    public init(method: String, url: String) {
        self.method = method
        self.url = url
        headers = []
        parameters = []
    }
}

/// The content of a webhook's request.
public enum StubBodyText: Sendable, Hashable {
    /// Text, which may be a template.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
}
