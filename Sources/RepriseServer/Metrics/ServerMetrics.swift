// SPDX-License-Identifier: Apache-2.0

/// The metrics of a server since it started, as text for Prometheus.
struct ServerMetrics: Sendable {
    /// The format of the text.
    enum Format: Sendable {
        /// OpenMetrics 1.0.
        case openMetrics
        /// The older text format of Prometheus, version 0.0.4.
        case prometheus

        init(accept: String?) {
            self = accept?.lowercased().contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
        }

        var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    var requests = [Int](repeating: 0, count: LoopMetrics.Result.allCases.count)
    var durations = DurationHistogram()
    var cutOff = 0
    var acceptedConnections = 0
    var openConnections = 0
    var journalEntries = 0
    var journalBytes = 0
    var journalDropped = 0
    var fixtures = 0
    var reloads = (succeeded: 0, failed: 0)
    /// When the server started, in seconds since 1970.
    var start = 0.0

    mutating func add(_ loop: LoopMetrics, connections: Int, journal: JournalRing.Size) {
        for index in requests.indices { requests[index] += loop.requests[index] }
        durations += loop.durations
        cutOff += loop.cutOff
        acceptedConnections += loop.accepted
        openConnections += connections
        journalEntries += journal.entries
        journalBytes += journal.bytes
        journalDropped += journal.dropped
    }

    func text(_ format: Format) -> [UInt8] {
        var text = MetricsText(format)
        text.counter("reprise_requests", "Requests by what answered them.", "result") {
            LoopMetrics.Result.allCases.map { ("\($0)", requests[$0.rawValue]) }
        }
        text.histogram(
            "reprise_request_duration_seconds",
            "Time from the head of a request to the end of its answer.",
            durations
        )
        text.counter("reprise_requests_cut_off", "Answers that ended early.", cutOff)
        text.counter("reprise_misses", "Requests that nothing answered.", requests[LoopMetrics.Result.miss.rawValue])
        text.gauge("reprise_connections", "Open connections.", openConnections)
        text.counter("reprise_connections_accepted", "Accepted connections.", acceptedConnections)
        text.gauge("reprise_journal_entries", "Requests in the journal.", journalEntries)
        text.gauge("reprise_journal_size_bytes", "Bytes of the requests in the journal.", journalBytes)
        text.counter(
            "reprise_journal_dropped",
            "Requests that made room in the journal for newer ones.",
            journalDropped
        )
        text.gauge("reprise_fixtures", "Fixtures and stubs that are served.", fixtures)
        text.counter("reprise_reloads", "Reloads of the fixtures.", "result") {
            [("ok", reloads.succeeded), ("failed", reloads.failed)]
        }
        text.gauge("reprise_start_time_seconds", "When the server started, in seconds since 1970.", start)
        text.info("reprise_build", "The version of the server.", [("version", RepriseVersion.current)])
        return text.finished()
    }
}

/// Writes metrics line by line. Names and help texts must not need escaping.
struct MetricsText {
    private let format: ServerMetrics.Format
    private var lines: [String] = []

    init(_ format: ServerMetrics.Format) {
        self.format = format
    }

    private mutating func describe(_ name: String, _ type: String, _ help: String) {
        // The older format describes the samples; OpenMetrics describes the family.
        let isOld = format == .prometheus
        let name = isOld && type == "counter" ? name + "_total" : isOld && type == "info" ? name + "_info" : name
        lines.append("# TYPE \(name) \(isOld && type == "info" ? "gauge" : type)")
        if !isOld, name.hasSuffix("_seconds") { lines.append("# UNIT \(name) seconds") }
        if !isOld, name.hasSuffix("_bytes") { lines.append("# UNIT \(name) bytes") }
        lines.append("# HELP \(name) \(help)")
    }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        describe(name, "counter", help)
        lines.append("\(name)_total \(value)")
    }

    mutating func counter(_ name: String, _ help: String, _ label: String, _ values: () -> [(String, Int)]) {
        describe(name, "counter", help)
        for (labelValue, value) in values() { lines.append("\(name)_total{\(label)=\"\(labelValue)\"} \(value)") }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: some Numeric) {
        describe(name, "gauge", help)
        lines.append("\(name) \(value)")
    }

    mutating func info(_ name: String, _ help: String, _ labels: [(String, String)]) {
        describe(name, "info", help)
        let labels = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        lines.append("\(name)_info{\(labels)} 1")
    }

    mutating func histogram(_ name: String, _ help: String, _ durations: DurationHistogram) {
        describe(name, "histogram", help)
        var count = 0
        for (bound, number) in zip(DurationHistogram.bounds, durations.counts) {
            count += number
            lines.append("\(name)_bucket{le=\"\(Double(bound) / 1e9)\"} \(count)")
        }
        count += durations.counts.last ?? 0
        lines.append("\(name)_bucket{le=\"+Inf\"} \(count)")
        lines.append("\(name)_count \(count)")
        lines.append("\(name)_sum \(Double(durations.sum) / 1e9)")
    }

    mutating func finished() -> [UInt8] {
        if format == .openMetrics { lines.append("# EOF") }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}

// Collecting the metrics.
extension ServerControl {
    func metrics() async -> ServerMetrics {
        var metrics = ServerMetrics()
        for loop in loops {
            let part = await loop.run { ($0.events.metrics, $0.connectionCount, $0.events.journal.size) }
            metrics.add(part.0, connections: part.1, journal: part.2)
        }
        metrics.fixtures = shared.current.count
        metrics.reloads = reloads
        metrics.start = start
        return metrics
    }
}
