// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processes of a command that run on after it has ended.
enum LeftoverProcesses {
    /// Returns the identifier and the name of each process of a group; nil if they are unknown, as on Darwin.
    static func names(ofGroup group: Int32) -> [String]? {
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return nil }
        return entries.compactMap { Int32($0) }.sorted().compactMap { identifier in
            let stat = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
            return stat.flatMap { name($0, inGroup: group) }.map { "\(identifier) \($0)" }
        }
    }

    /// Returns the name in a line of `/proc/PID/stat`, such as `4711 (node) S 1 4700 …`; nil for a process of another
    /// group, and for one that has ended.
    static func name(_ stat: String, inGroup group: Int32) -> String? {
        // The name may contain spaces and parentheses.
        guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"), start < end else { return nil }
        let fields = stat[end...].split(separator: " ").dropFirst()
        guard fields.count > 2, fields.first != "Z", fields.dropFirst(2).first.flatMap({ Int32($0) }) == group else {
            return nil
        }
        return String(stat[stat.index(after: start)..<end])
    }
}
