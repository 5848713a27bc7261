// SPDX-License-Identifier: Apache-2.0

import Foundation

// Mutate PACKAGE SEED COUNT ROOM…: puts COUNT small mistakes into the Swift files of each room, which is a folder below
// Sources, or several with a plus sign between them. Prints the mistakes, one a line: number, room, place, and what it
// is, separated by tabs. Each is made only while REPRISE_MUTANT has its number, so that all of them are built at once.
// The same seed chooses the same places. Lines named on standard input, such as Sources/Reprise/Client.swift:12, get
// none.

/// Random numbers that a seed decides (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// The function that the changed files call, for one module. With REPRISE_MUTANTS_REACHED, a process leaves a file in
/// that folder for each place that it comes to. Its flags are not locked: at worst, a file is created twice.
let chooser = """
    internal import Foundation

    private func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    private let chosen = variable("REPRISE_MUTANT").flatMap { Int($0) } ?? 0
    private let folder = variable("REPRISE_MUTANTS_REACHED")
    nonisolated(unsafe) private let reached = unsafe calloc(1 << 16, 1)!.assumingMemoryBound(to: Bool.self)

    @usableFromInline func mutant(_ number: Int) -> Bool {
        if let folder, unsafe !reached[number] {
            unsafe reached[number] = true
            close(creat("\\(folder)/\\(number)", 0o600))
        }
        return number == chosen
    }

    """

/// Returns `count` mutations that do not overlap, in the order of files and places. A number does not depend on what is
/// skipped, so that a file is built again only if its own places change.
func choose(_ count: Int, of all: [Mutation], seed: UInt64, without skipped: Set<String>) -> [(Int, Mutation)] {
    var generator = SeededGenerator(state: seed)
    var chosen: [(number: Int, mutation: Mutation)] = []
    for (number, mutation) in all.shuffled(using: &generator).enumerated() where chosen.count < count {
        let overlaps = chosen.contains {
            $0.mutation.file == mutation.file && $0.mutation.range.overlaps(mutation.range)
        }
        if !overlaps, !skipped.contains("\(mutation.file):\(mutation.line)") { chosen.append((number, mutation)) }
    }
    return chosen.sorted {
        ($0.mutation.file, $0.mutation.range.lowerBound) < ($1.mutation.file, $1.mutation.range.lowerBound)
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
    fatalError("usage: Mutate PACKAGE SEED COUNT ROOM…")
}
let package = URL(filePath: arguments[1])
var skipped: Set<String> = []
while let line = readLine() { skipped.insert(line) }

var sources: [String: String] = [:]
var chosen: [(number: Int, mutation: Mutation)] = []
for (index, room) in arguments[4...].enumerated() {
    var places: [Mutation] = []
    for folder in room.split(separator: "+") {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: package.appending(path: "Sources/\(folder)").path
        )
        for file in names.filter({ $0.hasSuffix(".swift") }).sorted().map({ "Sources/\(folder)/\($0)" }) {
            let source = try String(contentsOf: package.appending(path: file), encoding: .utf8)
            sources[file] = source
            places += MutationFinder.mutations(in: source, file: file)
        }
    }
    let first = index * 10_000 + 1
    let fresh = choose(count, of: places, seed: seed, without: skipped).map { (first + $0.0, $0.1) }
    for (number, mutation) in fresh {
        print("\(number)\t\(room)\t\(mutation.file):\(mutation.line):\(mutation.column)\t\(mutation)")
    }
    chosen += fresh
    FileHandle.standardError.write(Data("\(room): \(fresh.count) of \(places.count) places\n".utf8))
}

// From the end of a file, so that the places before keep theirs.
for (number, mutation) in chosen.reversed() {
    var bytes = Array((sources[mutation.file] ?? "").utf8)
    bytes.replaceSubrange(mutation.range, with: mutation.text(number: number).utf8)
    sources[mutation.file] = String(decoding: bytes, as: UTF8.self)
}
let files = Set(chosen.map(\.mutation.file))
for file in files { try sources[file]?.write(to: package.appending(path: file), atomically: true, encoding: .utf8) }
for module in Set(files.map { $0.split(separator: "/").prefix(2).joined(separator: "/") }) {
    try chooser.write(to: package.appending(path: "\(module)/Mutant.swift"), atomically: true, encoding: .utf8)
}
