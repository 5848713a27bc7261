// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RepriseText

struct CallLog: Sendable {
    private let logger: Logger
    let isVerbose: Bool
    private let clock: any Clock<Duration>

    /// - Parameter clock: The clock that measures times, or nil for the system's clock.
    /// - Returns: Nil if logging is disabled.
    init?(_ logging: CallLogging, clock: (any Clock<Duration>)?) {
        switch logging {
        case .none: return nil
        case .simple(let logger): (self.logger, isVerbose) = (Self.numbered(logger), false)
        case .verbose(let logger): (self.logger, isVerbose) = (Self.numbered(logger), true)
        }
        self.clock = clock ?? ContinuousClock()
    }

    /// Returns the logger with a random request ID, which distinguishes this call from others, even across processes.
    private static func numbered(_ logger: Logger) -> Logger {
        var logger = logger
        logger[metadataKey: "request-id"] = "\(hexadecimal(UInt64.random(in: .min ... .max), digits: 16))"
        return logger
    }

    /// Logs the start of an attempt.
    ///
    /// - Returns: An entry for logging how the attempt ends.
    func started(_ request: HTTPRequest, body: Body?, attempt: Int) -> Entry {
        let curl = isVerbose ? "\n\(request.shownCurl(body: body))" : ""
        say(.info, "start \(request.shownLine)\(curl)", ["attempt": "\(attempt)"])
        return Entry(log: self, request: request, attempt: attempt, elapsed: clock.stopwatch())
    }

    func retrying(_ request: HTTPRequest, attempt: Int, after error: any Error, in delay: Duration) {
        let metadata: Logger.Metadata = [
            "attempt": "\(attempt)", "delay": "\(delay.shown)", "error": "\(shown(error))",
        ]
        say(.notice, "retry \(request.shownLine)", metadata)
    }

    /// Logs that the token was refused or missing and a new one is requested.
    func refreshing(_ request: HTTPRequest, attempt: Int) {
        say(.info, "refresh \(request.shownLine)", ["attempt": "\(attempt)"])
    }

    func failed(_ request: HTTPRequest, attempt: Int, with error: any Error) {
        say(.error, "failure \(request.shownLine)", ["attempt": "\(attempt)", "error": "\(shown(error))"])
    }

    /// Returns the description of an error for the log. The message of an error with a response can contain the
    /// response's content, and a user's own error can contain anything. Neither can be searched for secrets, so their
    /// messages are left out.
    private func shown(_ error: any Error) -> String {
        guard let error = error as? ClientError else { return "\(type(of: error))" }
        if let response = error.response { return "\(error.code): answered \(response.status.code)" }
        return "\(error.code): \((error.underlying as? TransportError)?.message ?? error.message)"
    }

    fileprivate func say(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        logger.log(level: level, "\(message)", metadata: metadata, source: "Reprise")
    }

    /// An attempt in progress.
    struct Entry: Sendable {
        fileprivate let log: CallLog
        fileprivate let request: HTTPRequest
        fileprivate let attempt: Int
        fileprivate let elapsed: @Sendable () -> Duration

        /// Logs that the response has arrived, with its body unless it is a stream.
        func ended(_ response: Response) {
            var metadata = metadata
            metadata["status"] = "\(response.status.code)"
            if response.body.isInMemory { metadata["size"] = "\(response.body.length ?? 0)" }
            log.say(.info, "end \(request.shownLine)\(log.isVerbose ? "\n\(response.shown)" : "")", metadata)
        }

        /// Logs that the attempt failed without a response, or that the body broke off.
        func ended(with error: any Error, _ response: Response? = nil) {
            var metadata = metadata
            metadata["status"] = response.map { "\($0.status.code)" }
            metadata["error"] = "\(log.shown(error))"
            log.say(.info, "end \(request.shownLine)", metadata)
        }

        private var metadata: Logger.Metadata {
            ["attempt": "\(attempt)", "duration": "\(elapsed().shown)"]
        }
    }
}

extension HTTPRequest {
    /// Returns the request as a curl command, with the body redacted and shortened for the log.
    fileprivate func shownCurl(body: Body?) -> String {
        var words = curlWords(hasBody: body != nil)
        let content = body?.shown(type: headerFields[.contentType])
        if let content { words.append("--data-raw \(DisplayText.shellWord(content))") }
        return words.joined(separator: " \\\n  ")
    }
}

extension Response {
    /// The status, the header fields, and the body, redacted and shortened for the log.
    fileprivate var shown: String {
        let fields = headers.map { field in "\(field.name): \(field.shownValue)\n" }.joined()
        return "\(status.text)\n\(fields)\n\(body.shown(type: headers[.contentType]))"
    }
}

extension Duration {
    fileprivate var shown: String { "\((self / .milliseconds(1) * 10).rounded() / 10) ms" }
}
