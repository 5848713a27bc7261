// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension RouteList {
    /// The list as a table for a terminal, one line for each request.
    package func table() -> String {
        let head = ["METHOD", "REQUEST", "BODY", "ANSWER", "FIXTURE"]
        let rows = [head] + routes.map(\.cells)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { Self.line($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (cell, width) in zip(cells.dropLast(), widths) {
            line += cell + String(repeating: " ", count: width - cell.count + 2)
        }
        return line + (cells.last ?? "")
    }
}

extension RouteList.Route {
    /// The maximum number of answers that are listed in one line.
    private static let shownAnswers = 4

    fileprivate var cells: [String] {
        let query = query.map { $0.isEmpty ? "" : "?\($0)" } ?? ""
        let conditions = conditions.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return [
            DisplayText.escaped(method), DisplayText.escaped(path + query + conditions),
            body == .none ? "-" : body.rawValue,
            list(answers.map(\.summary)), list(sources),
        ]
    }

    private func list(_ texts: [String]) -> String {
        let shown = texts.prefix(Self.shownAnswers).joined(separator: ", ")
        return texts.count > Self.shownAnswers ? "\(shown), … (\(texts.count))" : shown
    }

    /// The places of the answers. A file is named once for answers that follow each other.
    private var sources: [String] {
        answers.indices.map { index in
            let answer = answers[index]
            let isSameFile = index > 0 && answers[index - 1].file == answer.file
            guard let line = answer.line else { return DisplayText.escaped(answer.file) }
            return isSameFile ? "\(line)" : "\(DisplayText.escaped(answer.file)):\(line)"
        }
    }
}

extension RouteList.Answer {
    /// The status, and how the answer ends if it is cut off.
    fileprivate var summary: String {
        guard let status else { return end }
        return end == "complete" ? "\(status)" : "\(status) \(end)"
    }
}
