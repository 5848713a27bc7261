// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

/// A response as it is served: the parts that all clients share, from which the response for one client is made.
struct PreparedResponse: Sendable {
    /// The nanoseconds to wait before the head.
    let latency: UInt64
    /// The heads of the informational responses, each with the nanoseconds to wait before it.
    let informational: [(latency: UInt64, bytes: [UInt8])]
    /// The head; nil for a failure without a response, and for bytes that are not a response.
    let head: HeadTemplate?
    /// The steps after the head, for a client that receives the content.
    let steps: [EncodedResponse.Step]
    /// The invalid bytes among the steps. They are not content, so any client receives them.
    let raw: [EncodedResponse.Step]
    /// The files that the steps read; see ``ResponsePlan/files``.
    let files: [FileSource]
    /// How the plan delimits the content.
    let framing: ResponsePlan.Framing
    /// How the plan ends.
    let ending: Ending

    /// Returns the response for a client.
    ///
    /// - Parameter date: The Date line with CR LF, which is added if the response needs one.
    func response(for client: PlanSerializer.Client, date: [UInt8]) -> EncodedResponse {
        let framing = ClientFraming(client: client, framing: framing)
        guard let head else {
            return EncodedResponse(latency: latency, steps: steps, end: framing.end(after: ending, closes: false))
        }
        let (bytes, closes) = head.head(for: client, date: date, endsByClosing: framing.endsByClosing)
        var response = EncodedResponse(
            latency: latency,
            head: bytes,
            steps: framing.hasBody ? steps : raw,
            // The answer to a HEAD request is complete with its head, regardless of how the recorded body ended.
            end: framing.end(after: client.wantsHeadOnly && raw.isEmpty ? .complete : ending, closes: closes)
        )
        // HTTP/1.0 has no informational responses (RFC 9110 section 15.2).
        if !informational.isEmpty, client.minorVersion > 0 { response.prepend(informational) }
        return response
    }

    /// The bytes of the content if it can be sent at once, and the connection stays open after it.
    var immediateContent: ArraySlice<UInt8>? {
        guard let head, latency == 0, ending == .complete, framing != .untilClose, !head.traits.contains(.closes),
            informational.isEmpty
        else { return nil }
        switch (steps.count, steps.first) {
        case (0, _): return []
        case (1, .bytes(let bytes)): return bytes
        default: return nil
        }
    }
}

extension EncodedResponse {
    /// Puts other heads before the head, which becomes a step.
    fileprivate mutating func prepend(_ heads: [(latency: UInt64, bytes: [UInt8])]) {
        var first: [Step] = []
        var due: UInt64 = 0
        for (latency, bytes) in heads + [(latency, head)] {
            if !first.isEmpty, latency > due { first.append(.wait(nanoseconds: latency - due)) }
            due = max(due, latency)
            first.append(.head(bytes))
        }
        latency = heads.first?.latency ?? latency
        head = heads.first?.bytes ?? head
        steps = first.dropFirst() + steps
    }
}

extension ResponsePlan {
    /// The files that the steps read, one element each. Its size is the number of bytes that the file must have.
    var files: [FileSource] {
        var files: [FileSource] = []
        for case .bytes(.file(var file)) in steps {
            (file.offset, file.size) = (0, file.offset + file.size)
            if let place = files.firstIndex(where: { $0.path == file.path }) {
                files[place].size = max(files[place].size, file.size)
            } else {
                files.append(file)
            }
        }
        return files
    }

    /// How the response ends.
    var ending: Ending {
        if case .end(let ending)? = steps.last { ending } else { .complete }
    }
}
