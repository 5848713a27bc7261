// SPDX-License-Identifier: Apache-2.0

/// Something that a recording or its replay got wrong.
struct CorpusFinding: Sendable, CustomStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        /// A secret is on the disk.
        case leak
        /// An innocent value is not in the cassette.
        case lost
        /// A client with other secrets does not find its recording.
        case miss
        /// A client gets the answer to another request or another user.
        case wrong
        /// A client cannot decode what stands for a secret.
        case shape
        /// The recorder or the replay failed.
        case failure
    }

    var kind: Kind
    var family: String
    var `class`: String
    var name: String
    var detail: String

    var description: String { "\(kind.rawValue)\t\(`class`)\t\(family)/\(name)\t\(detail)" }
}

/// The numbers of a run, by the classes of the cases.
struct CorpusReport: Sendable {
    /// What was checked, and what of it failed.
    struct Count: Sendable {
        var secrets = 0
        var leaks = 0
        var innocent = 0
        var lost = 0
        var replays = 0
        var misses = 0
    }

    var counts: [String: Count] = [:]
    var findings: [CorpusFinding] = []
    /// The numbers of cases in which another client's requests differ, and of pairs of users.
    var again = 0
    var pairs = 0

    var total: Count {
        counts.values.reduce(into: Count()) { total, count in
            total.secrets += count.secrets
            total.leaks += count.leaks
            total.innocent += count.innocent
            total.lost += count.lost
            total.replays += count.replays
            total.misses += count.misses
        }
    }

    mutating func add(_ outcome: CorpusOutcome, of example: CorpusCase) {
        findings += outcome.findings
        var count = counts[example.class] ?? Count()
        count.secrets += outcome.secrets
        count.innocent += outcome.innocent
        count.replays += outcome.replays
        count.leaks += outcome.findings.count { $0.kind == .leak }
        count.lost += outcome.findings.count { $0.kind == .lost }
        count.misses += outcome.findings.count { ![.leak, .lost, .failure].contains($0.kind) }
        counts[example.class] = count
        if outcome.isAgain { again += 1 }
        if example.users == true { pairs += 1 }
    }

    /// The table by classes, and a line for each finding.
    var text: String {
        var lines = ["class                 secrets kept off  innocents kept  replays found"]
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) + [("total", total)] {
            lines.append(
                name.padded(to: 22) + "\(count.secrets - count.leaks) of \(count.secrets)".padded(to: 18)
                    + "\(count.innocent - count.lost) of \(count.innocent)".padded(to: 16)
                    + "\(count.replays - count.misses) of \(count.replays)"
            )
        }
        let failures = findings.count { $0.kind == .failure }
        if failures > 0 { lines.append("\(failures) cases failed in another way") }
        lines.append("\(again) conversations repeated with other values, \(pairs) pairs of users")
        lines.append("")
        lines += findings.map(\.description).sorted()
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(1, count - self.count))
    }
}
