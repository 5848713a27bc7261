// SPDX-License-Identifier: Apache-2.0

extension KnownDeviation {
    /// All known deviations; a test compares them with the documentation.
    static let all: [KnownDeviation] = heads + bodies + requests + endings + asyncHTTPClient

    #if AsyncHTTPClient
        private static let asyncHTTPClient: [KnownDeviation] = [
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "preserves the bytes of the head",
                because: "`rawHead` is nil: SwiftNIO provides fields, not the lines of the wire."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "provides the trailer fields",
                because: "async-http-client provides them only with its trait `UnstableHTTPAPIsSupport`."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "preserves the boundaries of chunks",
                .mayFail,
                because: "SwiftNIO provides the bytes that have arrived, regardless of their chunks."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "reports the end of a chunk that arrives in pieces",
                because: "SwiftNIO provides the bytes that have arrived; each piece counts as a chunk."
            ),
            KnownDeviation(
                .asyncHTTPClient,
                on: .all,
                "joins folded lines with a space",
                because: "SwiftNIO's parser rejects the response."
            ),
        ]
    #else
        private static let asyncHTTPClient: [KnownDeviation] = []
    #endif

    private static let heads: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .all,
            "preserves the bytes of the head",
            because: "`rawHead` is nil: Foundation provides a dictionary of fields, not the lines of the wire."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "keeps fields with the same name separate",
            because: """
                Foundation joins them with `, `. `Set-Cookie` lines are separated again, where a name and an equals \
                sign follow outside of quotes \
                (\(foundation("pull/669")); [expo 46401](https://github.com/expo/expo/pull/46401)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "preserves the order and spelling of field names",
            because:
                "Foundation doesn't preserve the order of fields, and capitalizes names (\(foundation("pull/2728")))."
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "accepts fields without whitespace after the colon",
            .mayFail,
            because: """
                The response fails with `malformedResponse`; fixed in Swift 6.4 (\(foundation("issues/4965")), \
                \(foundation("pull/5527"))).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "accepts field values that are not UTF-8",
            because: """
                The response fails with `malformedResponse`: header lines are read as UTF-8 \
                (`Message.swift` of swift-corelibs-foundation).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "rejects invalid HTTP",
            .mayFail,
            because: "Two `Content-Length` lines that differ may be accepted: libcurl 7.88 takes the last one."
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "returns a 401 with any challenge",
            .mayFail,
            because: "The system answers challenges, and handles unusual ones in its own way."
        ),
    ]

    private static let bodies: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .linux,
            "provides the trailer fields",
            .endsProcess,
            because: """
                Trailer fields crash the process: `Transfer completed, but there's no response` \
                (\(foundation("issues/5285"))).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "provides the trailer fields",
            because: """
                Foundation does not provide them \
                ([connect-swift 322](https://github.com/connectrpc/connect-swift/issues/322)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "preserves the boundaries of chunks",
            .mayFail,
            because: "Foundation provides the bytes that have arrived, regardless of their chunks."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "reports the end of a chunk that arrives in pieces",
            because: "Foundation provides the bytes that have arrived; each piece counts as a chunk."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "leaves other codings",
            because: "libcurl refuses content in a coding that it doesn't know; the error is `other`."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "reports content that ends within its coding",
            because: "libcurl doesn't check the end of the coded data, so what arrived counts as complete."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "reports content that is not in its coding",
            because: "libcurl refuses the content; the error is `other`."
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "downloads 100 MB without buffering the content",
            .mayFail,
            because: "The content is buffered if the reader happens to be slow."
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "slows the sender down for a slow reader",
            // On a starved machine, buffering is at times so slow that the sender seems to pause, and the case passes.
            .mayFail,
            because: """
                The content is buffered in memory. The transport doesn't suspend the task, because a suspended task \
                gives up its connection and starts over when it is resumed (`URLSessionTask.suspend` of \
                swift-corelibs-foundation).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .apple,
            "slows the sender down for a slow reader",
            .mayFail,
            because: """
                The task is suspended while 256 KiB are waiting, but the system may continue to receive for a while \
                ([AetherEngine 220](https://github.com/superuser404notfound/AetherEngine/issues/220)).
                """
        ),
        KnownDeviation(
            .urlSession,
            on: .linux,
            "returns a redirect without a location",
            because: """
                Its content is lost: Foundation holds back the content of a redirect \
                (`HTTPURLProtocol.swift` of swift-corelibs-foundation; \
                [swift-eventsource 111](https://github.com/launchdarkly/swift-eventsource/pull/111)).
                """
        ),
    ]

    private static let requests: [KnownDeviation] = [
        KnownDeviation(
            .urlSession,
            on: .all,
            "sends the target unchanged",
            because:
                "`/../` is resolved: libcurl does this unless `CURLOPT_PATH_AS_IS` is set, and Foundation doesn't set it."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "sends a field line for each field",
            because:
                "A `URLRequest` has one value for each name, in no particular order; names are capitalized on Linux."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "adds only the fields of the connection",
            because: "Foundation adds `Accept`, `Accept-Encoding`, `Accept-Language`, and `User-Agent`."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "asks for no coding of a range",
            .mayFail,
            because: "Foundation asks for the codings that it decodes in every request."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "streams a request's body",
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
            "reports truncated content",
            .mayFail,
            because:
                "`URLError.networkConnectionLost` doesn't distinguish `truncated` from `reset`, so both are `reset`."
        ),
        KnownDeviation(
            .urlSession,
            on: .all,
            "connects to a server with a configured certificate authority",
            because: "It trusts what the system trusts; you can't configure another certificate authority."
        ),
    ]

    private static let temporaryFile = """
        A body that isn't in memory is read completely first, into a temporary file if it is larger than 1 MiB: \
        Foundation has no bound streams on Linux (\(foundation("issues/3251"))), and unsafe ones on Apple platforms.
        """

    private static func foundation(_ path: String) -> String {
        let number = path.drop { !$0.isNumber }
        return "[swift-corelibs-foundation \(number)](https://github.com/swiftlang/swift-corelibs-foundation/\(path))"
    }
}
