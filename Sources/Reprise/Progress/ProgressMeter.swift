// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Counts what passes through bodies, and says so.
final class ProgressMeter: Sendable {
    typealias Report = @Sendable (TransferProgress) -> Void

    private let report: Report
    private let rounds = Locked((upload: 0, download: 0))

    init(_ report: @escaping Report) {
        self.report = report
    }

    /// A round that begins now.
    func begin(_ direction: TransferProgress.Direction, total: Int?) -> Count {
        let round = rounds.withLock { rounds in
            switch direction {
            case .upload: rounds.upload += 1
            case .download: rounds.download += 1
            }
            return direction == .upload ? rounds.upload : rounds.download
        }
        let progress = TransferProgress(direction, round: round, bytes: 0, total: total)
        report(progress)
        return Count(progress: progress, report: report)
    }

    /// What has passed in one round.
    struct Count {
        private var progress: TransferProgress
        private let report: Report

        fileprivate init(progress: TransferProgress, report: @escaping Report) {
            self.progress = progress
            self.report = report
        }

        mutating func add(_ count: Int) {
            progress.bytes += count
            report(progress)
        }

        /// So many have passed in all.
        mutating func reach(_ bytes: Int) {
            // A session that sends it again begins anew without saying so.
            guard bytes > progress.bytes else { return }
            progress.bytes = bytes
            report(progress)
        }

        /// Whether so many more are all.
        func isComplete(with count: Int) -> Bool { progress.total == progress.bytes + count }

        /// That was all. Says so if it could not be known before.
        mutating func finish() {
            guard progress.total == nil else { return }
            progress.total = progress.bytes
            report(progress)
        }
    }
}

extension ProgressMeter {
    /// A response's content, which says how far it is while it is read.
    func downloading(_ body: Body) -> Body {
        guard body.isInMemory else { return Body(MeteredBody(body, meter: self), length: body.length) }
        // It is here, and can be read more than once.
        var count = begin(.download, total: body.length)
        if let length = body.length, length > 0 { count.add(length) }
        return body
    }
}

/// A request's content on its way out, which says how far it is each time that it is read.
final class CountedUpload: Sendable {
    private struct Round {
        var count: ProgressMeter.Count?
        /// What was given out last. It is underway when the next is asked for.
        var given = 0
    }

    let content: Body
    let meter: ProgressMeter
    private let round = Locked(Round())

    init(_ content: Body, meter: ProgressMeter) {
        self.content = content
        self.meter = meter
    }

    /// The content to send.
    var body: Body {
        let storage = Body.Storage.sequence { [self] in
            var chunks = content.makeUploadIterator()
            var isBegun = false
            return {
                self.asked(isFirst: !isBegun)
                isBegun = true
                let chunk = try await chunks.next()
                self.gave(chunk)
                return chunk
            }
        }
        var counted = Body(storage, length: content.length, isReplayable: content.isReplayable)
        counted.metered = self
        return counted
    }

    /// The response is there. Who answers when all has come may do so before its end is asked for.
    func answered() {
        round.withLock { round in
            guard round.given > 0, round.count?.isComplete(with: round.given) == true else { return }
            round.count?.add(round.given)
            round.given = 0
        }
    }

    // Reports are made under the lock: in order, and not after the response.

    private func asked(isFirst: Bool) {
        round.withLock { round in
            if isFirst {
                round = Round(count: meter.begin(.upload, total: content.length))
            } else if round.given > 0 {
                round.count?.add(round.given)
                round.given = 0
            }
        }
    }

    private func gave(_ chunk: [UInt8]?) {
        round.withLock { round in
            round.given = chunk?.count ?? 0
            if chunk == nil { round.count?.finish() }
        }
    }
}

extension Body {
    /// The content that nobody counts, and those that are to be told how far it is.
    var unmetered: (body: Body, meters: [ProgressMeter]) {
        guard let metered else { return (self, []) }
        let inner = metered.content.unmetered
        return (inner.body, [metered.meter] + inner.meters)
    }

    /// The chunks to send; what is in memory comes in pieces, or it would be gone at once.
    fileprivate func makeUploadIterator() -> UploadIterator {
        if let bytes = inMemory { .memory(bytes[...]) } else { .chunks(makeAsyncIterator()) }
    }

    fileprivate enum UploadIterator {
        case memory(ArraySlice<UInt8>)
        case chunks(AsyncIterator)

        @concurrent
        mutating func next() async throws -> [UInt8]? {
            switch self {
            case .memory(let rest):
                guard !rest.isEmpty else { return nil }
                self = .memory(rest.dropFirst(UploadFile.pieceSize))
                return Array(rest.prefix(UploadFile.pieceSize))
            case .chunks(var chunks):
                defer { self = .chunks(chunks) }
                return try await chunks.next()
            }
        }
    }
}

/// A response's content that is counted on its way through.
private final class MeteredBody: BodySource, @unchecked Sendable {
    // Sendable because a body asks its source for one part at a time, and cancels it when it asks no more.
    private var parts: Body.Parts.AsyncIterator?
    private var count: ProgressMeter.Count

    init(_ body: Body, meter: ProgressMeter) {
        parts = body.parts.makeAsyncIterator()
        count = meter.begin(.download, total: body.length)
    }

    func next() async throws(TransportError) -> Body.Part? {
        do {
            guard let part = try await parts?.next() else {
                if parts != nil { count.finish() }
                parts = nil
                return nil
            }
            if case .bytes(let bytes, _) = part { count.add(bytes.count) }
            return part
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.other, "\(error)", underlying: error)
        }
    }

    func cancel() {
        parts = nil
    }
}
