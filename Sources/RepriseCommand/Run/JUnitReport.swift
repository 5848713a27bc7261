// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseServer
import RepriseText

/// The report on a run in JUnit's XML format, which CI systems show.
///
/// Each request that nothing answered is a failed test case, and so is an incomplete recording. If all requests were
/// answered, one case stands for them.
struct JUnitReport {
    let xml: String

    /// - Parameter recordingProblem: What is wrong with the recording, if anything.
    init(_ traffic: TrafficSummary, recordingProblem: String? = nil) {
        var cases = traffic.unanswered.map { Self.testCase($0.request, failure: $0.explanation) }
        let unlisted = traffic.unansweredCount - cases.count
        if unlisted > 0 {
            cases.append(Self.testCase("earlier requests", failure: "nothing answered \(unlisted) more requests"))
        }
        var failures = traffic.requestCount == 0 ? 1 : cases.count
        if traffic.requestCount == 0 {
            cases = [Self.testCase("requests to the mock server", failure: "expected requests, found none")]
        } else if cases.isEmpty {
            cases = [Self.testCase("answers to \(Report.count(traffic.requestCount, "request"))", failure: nil)]
        }
        if let recordingProblem {
            cases.append(Self.testCase("recording", failure: recordingProblem))
            failures += 1
        }
        xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="mockserver" tests="\(cases.count)" failures="\(failures)" errors="0" skipped="0">
            \(cases.joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private static func testCase(_ name: String, failure: String?) -> String {
        let start = "    <testcase classname=\"mockserver\" name=\"\(escaped(name, inAttribute: true))\""
        guard let failure else { return "\(start)/>" }
        let message = failure.prefix { !$0.isNewline }
        return """
            \(start)>
                  <failure message="\(escaped(String(message), inAttribute: true))">\(escaped(failure))</failure>
                </testcase>
            """
    }

    /// Escapes a text. XML cannot contain control characters and noncharacters at all.
    private static func escaped(_ text: String, inAttribute isAttribute: Bool = false) -> String {
        let shown = DisplayText.escaped(lines: text).unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }
        return XMLTree.escaped(String(String.UnicodeScalarView(shown)), inAttribute: isAttribute)
    }
}
