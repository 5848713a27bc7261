// SPDX-License-Identifier: Apache-2.0

extension KnownDeviation {
    /// All of them; a test compares them with the documentation.
    static let all: [KnownDeviation] = heads + bodies + requests + endings + asyncHTTPClient

    #if AsyncHTTPClient
        private static let asyncHTTPClient: [KnownDeviation] = [
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "keeps the bytes of the head",
                because: "`rawHead` is nil: SwiftNIO hands over fields, not the lines of the wire."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "has the trailers",
                because: "async-http-client hands them over with its trait `UnstableHTTPAPIsSupport` only."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "keeps the boundaries of chunks",
                .mayFail,
                because: "SwiftNIO hands over what has come, however it was chunked."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "tells the end of a chunk that comes in pieces",
                because: "SwiftNIO hands over what has come, however it was chunked; each piece counts as a chunk."
            ),
        ]
    #else
        private static let asyncHTTPClient: [KnownDeviation] = []
    #endif

    private static let heads: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .all,
            "keeps the bytes of the head",
            because: "`rawHead` is nil: Foundation hands over a dictionary of fields, not the lines of the wire."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "keeps fields of one name apart",
            because: """
                Foundation joins them with `, `, so that two `Set-Cookie` lines are one \
                (\(foundation("pull/669")); [expo 46401](https://github.com/expo/expo/pull/46401)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "keeps the order and the spelling of names",
            because: "Foundation keeps fields in no order, and capitalises names (\(foundation("pull/2728")))."
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "takes fields without white space behind the colon",
            .mayFail,
            because: """
                The response fails with `malformedResponse`; mended in Swift 6.4 (\(foundation("issues/4965")), \
                \(foundation("pull/5527"))).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "takes field values that are not UTF-8",
            because: """
                The response fails with `malformedResponse`: header lines are read as UTF-8 \
                (`Message.swift` of swift-corelibs-foundation).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "refuses what is not HTTP",
            .mayFail,
            because: "Two `Content-Length` lines that differ may be accepted: libcurl 7.88 takes the last one."
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "hands over a 401 with any challenge",
            .mayFail,
            because: "Challenges are the system's to answer; what it makes of odd ones is its own."
        ),
    ]

    private static let bodies: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .linux,
            "has the trailers",
            .endsProcess,
            because: """
                Trailers end the process: `Transfer completed, but there's no response` \
                (\(foundation("issues/5285"))).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "has the trailers",
            because: """
                Foundation does not hand them over \
                ([connect-swift 322](https://github.com/connectrpc/connect-swift/issues/322)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "keeps the boundaries of chunks",
            .mayFail,
            because: "Foundation hands over what has come, however it was chunked."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "tells the end of a chunk that comes in pieces",
            because: "Foundation hands over what has come, however it was chunked; each piece counts as a chunk."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "leaves content codings alone",
            because: """
                Foundation undoes gzip, deflate and others and cannot be kept from it \
                ([rdar 25180768](https://github.com/lionheart/openradar-mirror/issues/7775)); the transport leaves \
                `Content-Encoding` and `Content-Length` out of the head then.
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "downloads 100 MB without holding them",
            .mayFail,
            because: "As for a slow reader, if the reader happens to be slow."
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "slows the sender down for a slow reader",
            because: """
                What comes waits in memory. A task that is suspended gives its connection up and starts over when it is \
                resumed (`URLSessionTask.suspend` of swift-corelibs-foundation), so that it is not suspended.
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "slows the sender down for a slow reader",
            .mayFail,
            because: """
                The task is suspended while 256 KiB wait, but the system may go on for a while \
                ([AetherEngine 220](https://github.com/superuser404notfound/AetherEngine/issues/220)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "hands a redirection over that points nowhere",
            because: """
                Its content is lost: Foundation keeps that of a redirection back for when it is not followed \
                (`HTTPURLProtocol.swift` of swift-corelibs-foundation; \
                [swift-eventsource 111](https://github.com/launchdarkly/swift-eventsource/pull/111)).
                """
        ),
    ]

    private static let requests: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .all,
            "sends the target as it is given",
            because:
                "`/../` is resolved: libcurl does so unless `CURLOPT_PATH_AS_IS` is set, which Foundation does not."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "sends a field line for each field",
            because: "A `URLRequest` has one value for each name, in no order; names are capitalised on Linux."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "adds no fields but those of the connection",
            because: "Foundation adds `Accept`, `Accept-Encoding`, `Accept-Language` and `User-Agent`."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "sends a request's body as it comes",
            because: temporaryFile
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "slows a request's body down for a slow server",
            because: temporaryFile
        ),
    ]

    private static let endings: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .apple,
            "tells a content that is cut short",
            .mayFail,
            because: "`URLError.networkConnectionLost` does not tell `truncated` from `reset`: it is `reset`."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "speaks TLS with a server that it is told to trust",
            because: "It trusts what the system trusts; there is no way to name an authority of one's own."
        ),
    ]

    private static let temporaryFile = """
        A body that is not in memory is read to its end first, into a temporary file if it is larger than 1 MiB: \
        Foundation has no bound streams on Linux (\(foundation("issues/3251"))), and unsafe ones on Apple platforms.
        """

    private static func foundation(_ path: String) -> String {
        let number = path.drop { !$0.isNumber }
        return "[swift-corelibs-foundation \(number)](https://github.com/swiftlang/swift-corelibs-foundation/\(path))"
    }
}
