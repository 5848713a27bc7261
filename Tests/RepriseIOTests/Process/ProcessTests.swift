// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct SignalSourceTests {
    /// Runs in its own process, which the signals would otherwise end.
    @Test func deliversSignalsOnLoop() async {
        await #expect(processExitsWith: .success) {
            try await EventLoop.with { loop in
                for signal in SignalSource.Signal.allCases {
                    let isOnLoop = await withCheckedContinuation { continuation in
                        loop.execute {
                            var source: SignalSource?
                            source = try? SignalSource(SignalSource.Signal.allCases, loop: loop) { received in
                                #expect(received == signal)
                                source?.close()
                                source?.close()
                                continuation.resume(returning: loop.isCurrent)
                            }
                            kill(getpid(), signal.number)
                        }
                    }
                    #expect(isOnLoop)
                }
            }
        }
    }

    @Test func closeRestoresDefaultSignalAction() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            try await EventLoop.with { loop in
                try await loop.run { try SignalSource([.terminate], loop: loop) { _ in }.close() }
                kill(getpid(), SIGTERM)
                try await Task.sleep(for: .seconds(10))
            }
        }
    }
}

@Suite struct ProcessLimitsTests {
    @Test func raisesDescriptorLimit() {
        #expect(ProcessLimits.raiseDescriptorLimit() >= 256)
    }

    @Test func turnsBrokenPipeIntoError() async {
        await #expect(processExitsWith: .success) {
            ProcessLimits.ignoreBrokenPipe()
            var ends: (Int32, Int32) = (0, 0)
            unsafe withUnsafeMutableBytes(of: &ends) { bytes in
                _ = unsafe pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress!)
            }
            close(ends.0)
            dup2(ends.1, STDOUT_FILENO)
            let error = #expect(throws: SystemError.self) { try StandardStream.write("x", to: .output) }
            #expect(error?.isConnectionLost == true)
        }
    }
}

@Suite struct StandardStreamTests {
    @Test func writesEverything() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            // Non-blocking and more than a pipe holds: the write has to wait.
            _ = fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK)
            let bytes = [UInt8](repeating: 65, count: 1 << 20)[...]
            try StandardStream.write(bytes.span, to: .error)
            try StandardStream.write("ready\n", to: .output)
            #expect(!StandardStream.output.isTerminal)
        }
        let output = try #require(result?.standardOutputContent)
        let error = try #require(result?.standardErrorContent)
        #expect(String(decoding: output, as: UTF8.self).contains("ready\n"))
        #expect(error.count { $0 == 65 } >= 1 << 20)
    }
}

@Suite struct CommandProcessTests {
    @Test func reportsStatusAndSignal() throws {
        #expect(try CommandProcess(["sh", "-c", "exit 7"]).waitUntilEnd() == .exited(7))
        let killed = try CommandProcess(["sh", "-c", "kill -KILL $$"]).waitUntilEnd()
        #expect(killed == .killed(signal: SIGKILL))
        #expect(killed.status == 137)
    }

    @Test func failsIfProgramIsMissing() {
        let error = #expect(throws: SystemError.self) { try CommandProcess(["no-such-program"]) }
        #expect(error?.code == ENOENT)
        #expect(throws: SystemError.self) { try CommandProcess(["/"]) }
    }

    @Test func replacesVariables() throws {
        let test = #"[ "$HOME" = a ] && [ "$NEW_ONE" = b ] && [ -n "$PATH" ] && [ $(env | grep -c ^HOME=) = 1 ]"#
        let process = try CommandProcess(["sh", "-c", test], adding: ["HOME": "a", "NEW_ONE": "b"])
        #expect(process.waitUntilEnd() == .exited(0))
    }

    @Test func hasGroupOfItsOwnThatMayOutliveIt() throws {
        let process = try CommandProcess(["sh", "-c", "sleep 100 >/dev/null 2>&1 &"])
        #expect(process.waitUntilEnd() == .exited(0))
        #expect(process.othersRemain(for: .zero))
        kill(-process.identifier, SIGKILL)
        let other = try CommandProcess(["true"])
        _ = other.waitUntilEnd()
        #expect(!other.othersRemain(for: .zero))
    }
}
