// SPDX-License-Identifier: Apache-2.0

public import Logging
public import RepriseAnswers
internal import RepriseDocuments
public import RepriseFixtures
package import RepriseIO
public import RepriseMatching
package import RepriseRedaction
public import RepriseStubAnswers
public import RepriseText
internal import RepriseWire

extension MockServer {
    /// The settings of a server. The defaults are those of the command line, except for ``requestLog``.
    public struct Configuration: Sendable {
        /// The address to listen on: a name, an IPv4 address, or an IPv6 address. The default is `127.0.0.1`.
        public var host: String
        /// The number of loops, each with its own thread. The default is 1.
        public var threads: Int
        /// How fast recorded time passes in the body of a response. The default is as recorded.
        public var pace: Pace
        /// How long to wait before the head of a response. The default is not to wait.
        public var latency: Latency
        /// The seed of random latencies. With the same seed and fixtures, each answer has the same latency in each run.
        /// If nil, the default, the latencies differ.
        public var seed: UInt64?
        /// The parts of a request that must match the recording; anything else may differ. The default is method, path,
        /// query, and body. To compare the host too, use `.standard + [.host]`.
        ///
        /// Custom matchers are not supported: starting a server with one throws a ``StartError``.
        public var matching: [Matcher]
        /// What happens after the last answer of a sequence. The default is to repeat the last answer.
        public var afterLast: AfterLast
        /// Edits of the recorded responses, which end, stall, or change them. The default is none. If one cannot apply,
        /// starting the server throws a ``StartError``.
        public var bends: [Bend]
        /// Whether absolute `Location` URLs of recorded hosts are sent as recorded. By default, they become paths, so
        /// that clients follow redirects on this server. They are also sent as recorded if ``matching`` contains the
        /// host.
        public var keepsLocations: Bool
        /// The TLS certificate for clients; nil, the default, serves plain HTTP.
        public var tls: TLS?
        /// The server that unmatched requests are forwarded to. If nil, the default, such requests are misses.
        public var upstream: Upstream?
        /// The settings of the forward proxy. If nil, the default, the server is not a forward proxy.
        public var proxy: ForwardProxy?
        /// The path of a folder whose files are served as they are, below `/`, to GET and HEAD requests that no fixture
        /// answers. If nil, the default, no such files are served.
        public var staticFolder: String?
        /// How stubs answer: which answers are templates, the seed of random values, and the time that templates see.
        public var stubs: StubOptions
        /// The hosts that webhooks of stubs may be sent to although their addresses are neither loopback nor private,
        /// such as `hooks.example.com`. Link-local addresses are always refused. The default is none.
        public var webhookHosts: [String]
        /// Whether the fixtures are loaded again when their files change. No connection is dropped. If the changed
        /// files have problems, the previous fixtures stay in use, and the problems are logged. Applies to servers that
        /// are started with the URLs of fixtures. The default is `false`.
        public var isWatching: Bool
        /// Whether web pages from other origins may read the answers. The default is `false`.
        public var isCrossOriginAllowed: Bool
        /// Which clients may use the admin API, the endpoints below `/__admin`. By default, those on this machine.
        public var admin: Admin
        /// The style of the line that is written to standard error for each request. If nil, the default, nothing is
        /// written.
        public var requestLog: RequestLogStyle?
        /// The maximum number of requests in the journal of one loop. The default is 10,000.
        public var journalRecords: Int
        /// The maximum number of request bytes in the journal of one loop. The default is 4 MiB.
        public var journalBytes: Int
        /// The maximum total size, in bytes, of the request bodies in memory. A request whose body does not fit at the
        /// moment gets 503, and one whose body can never fit gets 413. The default is 256 MiB. A single body has at most
        /// 64 MiB.
        public var bodyBytes: Int
        /// The logger for the server's own problems. Its handler is called on the loops' threads and must not block.
        public var logger: Logger

        /// How the reader of a miss report runs the command-line tool.
        package var tool = ToolInvocation()
        /// The redaction of what the server shows: its log, its event stream, and reports of misses. Starting a server
        /// replaces it with that of the recorder or, without one, of the fixtures at the paths of ``tool``.
        package var redaction = Redaction.standard
        /// Ends the process that the server is in, for the admin API; nil stops the server alone.
        package var shutDown: (@Sendable () -> Void)?
        /// The listening sockets, one for each loop; nil creates them. The started server becomes their only owner.
        ///
        /// They can be in another network than the one that the server uses for its own connections.
        package var sockets: [ListeningSocket]?
        var isInOwnNetwork: Bool { sockets == nil }

        /// How much may be done for a request before it is moved from its loop to another thread.
        var workLimit = WorkLimit.short
        /// These threads. If nil, the server has its own.
        var workerThreads: WorkerThreads?
        var limits = RequestParser.Limits()
        var timeouts = Timeouts()
        /// How long a session stays open without a request.
        var sessionIdleTime = Duration.seconds(3600)
        /// The clock for ``sessionIdleTime``.
        var sessionClock: any Clock<Duration> = ContinuousClock()

        /// Creates a configuration. Omitted values have their defaults.
        public init(
            host: String = "127.0.0.1",
            threads: Int = 1,
            pace: Pace = .recorded,
            latency: Latency = .none,
            seed: UInt64? = nil,
            matching: [Matcher] = .standard,
            afterLast: AfterLast = .repeat,
            bends: [Bend] = [],
            keepsLocations: Bool = false,
            tls: TLS? = nil,
            upstream: Upstream? = nil,
            proxy: ForwardProxy? = nil,
            staticFolder: String? = nil,
            stubs: StubOptions = StubOptions(),
            webhookHosts: [String] = [],
            isWatching: Bool = false,
            isCrossOriginAllowed: Bool = false,
            admin: Admin = Admin(),
            requestLog: RequestLogStyle? = nil,
            journalRecords: Int = 10_000,
            journalBytes: Int = 4 << 20,
            bodyBytes: Int = 256 << 20,
            logger: Logger = Logger(label: "reprise.mockserver")
        ) {
            self.host = host
            self.threads = threads
            self.pace = pace
            self.latency = latency
            self.seed = seed
            self.matching = matching
            self.afterLast = afterLast
            self.bends = bends
            self.keepsLocations = keepsLocations
            self.tls = tls
            self.upstream = upstream
            self.proxy = proxy
            self.staticFolder = staticFolder
            self.stubs = stubs
            self.webhookHosts = webhookHosts
            self.isWatching = isWatching
            self.isCrossOriginAllowed = isCrossOriginAllowed
            self.admin = admin
            self.requestLog = requestLog
            self.journalRecords = journalRecords
            self.journalBytes = journalBytes
            self.bodyBytes = bodyBytes
            self.logger = logger
        }
    }

    /// The style of the request log.
    public enum RequestLogStyle: Sendable, Hashable {
        /// Plain text.
        case plain
        /// The status is colored by its class, for a terminal.
        case colored
    }

    /// The time limits of a connection, in nanoseconds, because they are added to the time for each request.
    struct Timeouts: Sendable {
        var idle = seconds(75)
        /// For a whole head, from its first byte.
        var head = seconds(10)
        /// For the content, plus one millisecond for each byte received.
        var content = seconds(30)
        /// For the client to read any part of a response.
        var write = seconds(600)
        /// For the peer to receive any part of the output before a recorded reset.
        var delivery = seconds(10)
        /// For the peer to close after the last response.
        var draining = seconds(2)

        static func seconds(_ seconds: UInt64) -> UInt64 { seconds * 1_000_000_000 }
    }
}
