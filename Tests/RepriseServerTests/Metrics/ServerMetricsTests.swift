// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseTestSupport
import Testing

@testable import RepriseServer

@Suite struct ServerMetricsTests {
    @Test func histogramCountsEachDurationInOneRange() {
        var histogram = DurationHistogram()
        for nanoseconds: UInt64 in [0, 100_000, 100_001, 250_000, 10_000_000_000, 10_000_000_001] {
            histogram.add(nanoseconds: nanoseconds)
        }
        #expect(Array(histogram.counts.prefix(3)) == [2, 2, 0])
        #expect(Array(histogram.counts.suffix(2)) == [1, 1])
        #expect(histogram.counts.reduce(0, +) == 6)
        #expect(histogram.sum == 20_000_450_002)
    }

    @Test func histogramTextIsCumulative() {
        var metrics = ServerMetrics()
        metrics.durations.add(nanoseconds: 1)
        metrics.durations.add(nanoseconds: 600_000)
        metrics.durations.add(nanoseconds: 20_000_000_000)
        let text = String(decoding: metrics.text(.openMetrics), as: UTF8.self)
        let name = "reprise_request_duration_seconds"
        for line in [
            "\(name)_bucket{le=\"0.0001\"} 1", "\(name)_bucket{le=\"0.0005\"} 1", "\(name)_bucket{le=\"0.001\"} 2",
            "\(name)_bucket{le=\"10.0\"} 2", "\(name)_bucket{le=\"+Inf\"} 3", "\(name)_count 3",
            "\(name)_sum 20.000600001",
        ] { #expect(text.contains(line + "\n")) }
    }

    @Test func formatsDifferInNamesAndEnd() {
        let (new, old) = (ServerMetrics().text(.openMetrics), ServerMetrics().text(.prometheus))
        #expect(String(decoding: new, as: UTF8.self).hasSuffix("\n# EOF\n"))
        #expect(String(decoding: new, as: UTF8.self).contains("# TYPE reprise_requests counter\n"))
        #expect(!String(decoding: old, as: UTF8.self).contains("# EOF"))
        #expect(String(decoding: old, as: UTF8.self).contains("# TYPE reprise_requests_total counter\n"))
    }

    @Test func clientSelectsFormat() {
        let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2"
        #expect(ServerMetrics.Format(accept: accept).contentType.hasPrefix("application/openmetrics-text"))
        #expect(ServerMetrics.Format(accept: "text/plain").contentType.hasPrefix("text/plain; version=0.0.4"))
        #expect(ServerMetrics.Format(accept: nil).contentType.hasPrefix("text/plain; version=0.0.4"))
    }

    @Test func serverCountsRequestsByWhatAnsweredThem() async throws {
        let fixture = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))
        let server = try await MockServer.start(
            fixtures: [fixture],
            configuration: MockServer.Configuration(threads: 2)
        )
        for path in ["/hello", "/hello", "/other"] {
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            _ = try await client.readToEnd()
        }
        let invalid = try await RawClient.connect(port: server.port)
        try await invalid.send("no request\r\n\r\n")
        _ = try await invalid.readToEnd()
        let metrics = await server.control.metrics()
        #expect(metrics.requests[LoopMetrics.Result.hit.rawValue] == 2)
        #expect(metrics.requests[LoopMetrics.Result.miss.rawValue] == 1)
        #expect(metrics.requests[LoopMetrics.Result.refused.rawValue] == 1)
        #expect(metrics.requests.reduce(0, +) == 4)
        #expect(metrics.durations.counts.reduce(0, +) == 4)
        #expect(metrics.acceptedConnections == 4)
        #expect(metrics.journalEntries == 4)
        #expect(metrics.fixtures == 1)
        await server.stop()
    }

    @Test func endpointAnswersInBothFormats() async throws {
        let server = try await AdminTestServer.start()
        let old = try await server.admin("GET", "/metrics")
        #expect(old.status == 200)
        #expect(old.head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
        let new = try await server.admin("GET", "/metrics", nil, "Accept: application/openmetrics-text\r\n")
        #expect(new.head.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"))
        // Requests to the admin API are not counted.
        #expect(new.body.contains("reprise_request_duration_seconds_count 0\n"))
        #expect(try await server.admin("POST", "/metrics").status == 404)
        await server.server.stop()
    }
}
