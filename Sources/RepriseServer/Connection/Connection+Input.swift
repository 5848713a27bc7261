// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseWire

// Requests as they come.
extension Connection {
    /// Reads and answers requests until the input or the connection's readiness ends; returns the bytes used up.
    func read(_ input: Span<UInt8>) -> Int {
        var offset = 0
        while machine.wantsInput {
            switch machine.advance(input, from: offset) {
            case .needsMore(let consumed):
                if machine.phase == .forwarding { passContent(isComplete: false) } else { awaitMore() }
                return consumed
            case .contentFollows(let consumed, let awaitsContinue):
                offset = consumed
                prepareForContent(awaitsContinue: awaitsContinue)
            case .request(let head):
                offset = head.upperBound
                answer(input.extracting(head), content: Span())
            case .requestWithContent(let consumed):
                offset = consumed
                if machine.phase == .forwarding { passContent(isComplete: true) } else { answerRequestWithContent() }
            case .refuse(let error):
                refuse(error, input: input.extracting(offset..<input.count))
                return input.count
            }
        }
        return machine.phase == .responding || machine.phase == .forwarding ? offset : input.count
    }

    /// Reads what was left over, as far as the machine is ready for it.
    func readPending() {
        guard machine.wantsInput else { return }
        if !pending.isEmpty {
            // Taken out, because answering may add to what is pending while these bytes are looked at.
            let input = pending[...]
            pending = []
            let consumed = read(input.span)
            if consumed == 0, pending.isEmpty {
                pending = Array(input)
            } else {
                pending += input[consumed...]
            }
        }
        if hasPeerFinished, machine.wantsInput {
            close()
        } else if pending.count <= Self.pendingLimit, forwarding?.isUploadFull != true {
            socket?.startReading()
        }
    }

    func awaitMore() {
        if machine.phase == .body {
            extendContentDeadline()
        } else if machine.hasStartedHead, !isHeadTimed {
            isHeadTimed = true
            deadline = arrival.advanced(byNanoseconds: worker.timeouts.head)
        }
    }

    func prepareForContent(awaitsContinue: Bool) {
        let head = machine.pendingHead[...]
        contentStart = arrival
        if let upstream = worker.upstreamForAll(machine.parser.head) {
            return forward(head.span, content: nil, awaitsContinue: awaitsContinue, to: upstream)
        }
        (machine.contentToKeep, contentState) = worker.contentToKeep(head.span, machine.parser.head)
        extendContentDeadline()
        if awaitsContinue { sendContinue() }
    }

    /// Tells the client to send the content (RFC 9110 section 15.2.1).
    func sendContinue() {
        // Where 25 bytes do not fit, because the client has not read the responses before, its own time-out sends the
        // content; a part of them would garble what follows.
        do throws(SystemError) {
            let response = Self.continueResponse[...]
            let sent = try socket?.send(response.span) ?? 0
            if sent != 0, sent != response.count { close() }
        } catch {
            close()
        }
    }

    /// Content must come at 1 KiB a second on average after a grace period: a limit that a sender of one byte at a time
    /// cannot push ahead of itself.
    func extendContentDeadline() {
        deadline = contentStart.advanced(
            byNanoseconds: worker.timeouts.content + UInt64(machine.contentLength) * 1_000_000
        )
    }
}
