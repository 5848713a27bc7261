// SPDX-License-Identifier: Apache-2.0

/// One answer that can be given: which requests it is for, and what to play.
public struct Fixture: Sendable {
    /// Where it was written.
    public var source: Source
    /// Which requests it answers.
    public var pattern: RequestPattern
    /// What to play.
    public var plan: ResponsePlan

    /// Where a fixture was written.
    public struct Source: Sendable, Hashable, CustomStringConvertible {
        /// The file, as the user named it or as found below the folder that the user named.
        public var file: String
        /// Its place in a file that holds several; `nil` for a route file.
        public var location: SourceLocation?

        /// The fixture at `location` in `file`.
        public init(file: String, location: SourceLocation? = nil) {
            self.file = file
            self.location = location
        }

        /// `file:line`, or the file alone. With its column in the first line, where all fixtures of a file may stand.
        public var description: String {
            guard let location else { return file }
            return location.line > 1 ? "\(file):\(location.line)" : "\(file):1:\(location.column)"
        }
    }

    /// A fixture from `source` that answers `pattern` with `plan`.
    public init(source: Source, pattern: RequestPattern, plan: ResponsePlan) {
        self.source = source
        self.pattern = pattern
        self.plan = plan
    }

    /// The fixture that answers an exchange's request as it was answered then.
    public init(_ exchange: Exchange, source: Source = Source(file: "in memory")) {
        self.init(
            source: source,
            pattern: RequestPattern(recorded: exchange.request),
            plan: ResponsePlan(exchange)
        )
    }
}
