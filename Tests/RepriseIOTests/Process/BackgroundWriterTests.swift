// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Each test runs in its own process, because it needs its own standard error.
@Suite struct BackgroundWriterTests {
    @Test func writesEverythingInOrder() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let writer = BackgroundWriter(.error, limit: 1 << 20)
            // Less than a pipe holds, because the reader is the test process, which may be busy with other tests.
            for number in 0..<4000 { writer.write(Array("line \(number)\n".utf8)) }
            writer.finish(within: .seconds(10))
        }
        let content = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
        let lines = content.split(separator: "\n").filter { $0.hasPrefix("line ") }
        #expect(lines == (0..<4000).map { "line \($0)" })
    }

    @Test func writesRestWhenReleased() async throws {
        await #expect(processExitsWith: .success) {
            let pipe = ErrorPipe()
            BackgroundWriter(.error).write(Array("last words\n".utf8))
            #expect(pipe.read { $0.contains("last words\n") } == "last words\n")
        }
    }

    @Test func dropsAndCountsLinesWithoutReader() async {
        await #expect(processExitsWith: .success) {
            let pipe = ErrorPipe()
            let writer = BackgroundWriter(.error, limit: 1000)
            var count = 0
            var start = MonotonicTime.now
            // Until the pipe is full, so that `finish` times out.
            repeat {
                for _ in 0..<5000 { writer.write([UInt8](repeating: 65, count: 99) + [10]) }
                count += 5000
                start = .now
                writer.finish(within: .milliseconds(20))
            } while MonotonicTime.now - start < .milliseconds(20)
            let text = pipe.read { Self.count(in: $0) >= count }
            #expect(Self.count(in: text) == count)
            #expect(text.contains(" lines were dropped: standard error is not being read\n"))
            writer.write(Array("again\n".utf8))
            writer.finish(within: .seconds(10))
            #expect(pipe.read { $0.contains("again\n") } == "again\n")
        }
    }

    /// The number of lines that arrived or were reported as dropped.
    private static func count(in text: String) -> Int {
        text.split(separator: "\n").reduce(0) { sum, line in
            sum + (line.hasPrefix("… ") ? Int(line.dropFirst(2).prefix { $0.isNumber }) ?? 0 : 1)
        }
    }

    @Test func processExitsWithoutReader() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let pipe = ErrorPipe()
            let writer = BackgroundWriter(.error)
            for _ in 0..<200 { writer.write([UInt8](repeating: 65, count: 1000)) }
            writer.finish(within: .milliseconds(1))
            withExtendedLifetime((pipe, writer)) { exit(7) }
        }
    }

    /// By default, SIGPIPE would end the process.
    @Test func survivesClosedReader() async {
        await #expect(processExitsWith: .exitCode(7)) {
            ErrorPipe().closeReadEnd()
            let writer = BackgroundWriter(.error)
            writer.write(Array("to nobody\n".utf8))
            writer.finish(within: .seconds(10))
            // Exit before the testing library writes to standard error.
            exit(7)
        }
    }
}

/// A pipe that replaces this process's standard error.
private struct ErrorPipe {
    private let readEnd: Int32

    init() {
        var ends: [Int32] = [0, 0]
        unsafe pipe(&ends)
        readEnd = ends[0]
        dup2(ends[1], STDERR_FILENO)
        close(ends[1])
    }

    func closeReadEnd() {
        close(readEnd)
    }

    /// Reads until the text is enough, or until nothing arrives for ten seconds.
    func read(until isEnough: (String) -> Bool) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            var ready = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, 10_000) == 1 else { break }
            let count = unsafe systemRead(readEnd, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
