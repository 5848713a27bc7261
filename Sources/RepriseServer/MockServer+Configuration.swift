// SPDX-License-Identifier: Apache-2.0

public import Logging
public import RepriseAnswers
public import RepriseFixtures
public import RepriseMatching
internal import RepriseWire

extension MockServer {
    /// How a server is set up. The defaults are those of the command line, but for
    /// ``requestLog``.
    public struct Configuration: Sendable {
        /// The address to listen on: a name, an IPv4 or an IPv6 address. Default: `127.0.0.1`.
        public var host: String
        /// The number of loops, each with its own thread. Default: 1.
        public var threads: Int
        /// How fast the pauses of streams are played. Default: as recorded.
        public var pace: Pace
        /// Whether recorded times to the head of a response are played. Default: not.
        public var latency: Latency
        /// The parts of a request that are compared with a recording; anything else may differ. The default is the
        /// method, the path, the query, and the body. To compare the host too, use `.standard + [.host]`.
        ///
        /// A custom matcher works in process only; starting a server with one throws a ``StartError``.
        public var matching: [Matcher]
        /// What follows the last answer of a sequence. The last answer again by default.
        public var afterLast: AfterLast
        /// Who the server is to clients that speak TLS. Default: nobody, they speak plain HTTP.
        public var tls: TLS?
        /// Where requests go that no fixture answers. Default: nowhere, they are misses.
        public var upstream: Upstream?
        /// Whether browsers' pages from other origins may read the answers. Default: not.
        public var isCrossOriginAllowed: Bool
        /// Whether a line for each request goes to standard error. Default: not.
        public var requestLog: RequestLogStyle?
        /// The most requests that the journal of one loop holds. Default: 10,000.
        public var journalRecords: Int
        /// The most bytes of requests that the journal of one loop holds. Default: 4 MiB.
        public var journalBytes: Int
        /// Where the server reports its own troubles. Its handler is called on the loops' threads and must not block.
        public var logger: Logger

        var limits = RequestParser.Limits()
        var timeouts = Timeouts()

        /// A configuration; what is left out has its default.
        public init(
            host: String = "127.0.0.1",
            threads: Int = 1,
            pace: Pace = .recorded,
            latency: Latency = .none,
            matching: [Matcher] = .standard,
            afterLast: AfterLast = .repeat,
            tls: TLS? = nil,
            upstream: Upstream? = nil,
            isCrossOriginAllowed: Bool = false,
            requestLog: RequestLogStyle? = nil,
            journalRecords: Int = 10_000,
            journalBytes: Int = 4 << 20,
            logger: Logger = Logger(label: "reprise.mockserver")
        ) {
            self.host = host
            self.threads = threads
            self.pace = pace
            self.latency = latency
            self.matching = matching
            self.afterLast = afterLast
            self.tls = tls
            self.upstream = upstream
            self.isCrossOriginAllowed = isCrossOriginAllowed
            self.requestLog = requestLog
            self.journalRecords = journalRecords
            self.journalBytes = journalBytes
            self.logger = logger
        }
    }

    /// How the line for each request looks.
    public enum RequestLogStyle: Sendable, Hashable {
        /// Plain text.
        case plain
        /// The status coloured by its class, for a terminal.
        case coloured
    }

    /// How long a connection may take for what, in nanoseconds: they are added for each request.
    struct Timeouts: Sendable {
        /// For a request to begin.
        var idle = seconds(75)
        /// For a whole head, from its first byte on.
        var head = seconds(10)
        /// For the content, on top of a millisecond for each byte that came.
        var content = seconds(30)
        /// For a reader to take something of a response.
        var write = seconds(600)
        /// For a peer to take something of what comes before a recorded reset.
        var delivery = seconds(10)
        /// For the peer to close after the last response.
        var draining = seconds(2)

        static func seconds(_ seconds: UInt64) -> UInt64 { seconds * 1_000_000_000 }
    }
}
