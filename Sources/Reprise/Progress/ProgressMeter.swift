// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Counts the bytes that pass through bodies and reports the progress.
final class ProgressMeter: Sendable {
    typealias Report = @Sendable (TransferProgress) -> Void

    private let report: Report
    private let rounds = Locked((upload: 0, download: 0))

    init(_ report: @escaping Report) {
        self.report = report
    }

    /// Starts a new round.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - total: The number of bytes, or nil if it is not known.
    ///   - start: The number of bytes that were transferred before.
    func begin(_ direction: TransferProgress.Direction, total: Int?, from start: Int = 0) -> Count {
        let round = rounds.withLock { rounds in
            switch direction {
            case .upload: rounds.upload += 1
            case .download: rounds.download += 1
            }
            return direction == .upload ? rounds.upload : rounds.download
        }
        let progress = TransferProgress(direction, round: round, bytes: start, total: total)
        report(progress)
        return Count(progress: progress, report: report)
    }

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

        /// Sets the total number of bytes transferred so far.
        mutating func reach(_ bytes: Int) {
            // A session that sends the content again counts from 0 again, without notice.
            guard bytes > progress.bytes else { return }
            progress.bytes = bytes
            report(progress)
        }

        func isComplete(with count: Int) -> Bool { progress.total == progress.bytes + count }

        /// Ends the round and reports the total if it was unknown before.
        mutating func finish() {
            guard progress.total == nil else { return }
            progress.total = progress.bytes
            report(progress)
        }
    }
}

extension ProgressMeter {
    /// Returns a response's body that reports progress as it is read.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - range: The part of a download that the body continues with, or nil if it is the complete content.
    func downloading(_ body: Body, after range: ContentRange? = nil) -> Body {
        let start = range?.bytes?.lowerBound ?? 0
        let total = range.map(\.total) ?? body.length
        guard body.isInMemory else {
            var count = begin(.download, total: total, from: start)
            return body.observed { event in
                switch event {
                case .part(.bytes(let bytes, _)): count.add(bytes.count)
                case .complete: count.finish()
                case .part(.trailers), .failed, .canceled: break
                }
            }
        }
        // The content is already in memory.
        var count = begin(.download, total: total, from: start)
        if let length = body.length, length > 0 { count.add(length) }
        return body
    }
}

/// A request's content, which reports progress each time that it is read.
final class CountedUpload: Sendable {
    private struct Round {
        var count: ProgressMeter.Count?
        /// The number of bytes that were returned last. They count as sent when the next ones are requested.
        var given = 0
    }

    let content: Body
    let meter: ProgressMeter
    private let round = Locked(Round())

    init(_ content: Body, meter: ProgressMeter) {
        self.content = content
        self.meter = meter
    }

    /// The body to send, which counts what is read from it.
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

    /// The body to send, which is counted only if it is sent in several pieces.
    var sent: Body {
        if let bytes = content.inMemory, bytes.count <= UploadFile.pieceSize { return content }
        return body
    }

    /// Counts the last bytes as sent, because the response has arrived. A server can respond as soon as it has
    /// received all content, before the transport has asked for the end of it.
    func answered() {
        round.withLock { round in
            guard round.given > 0, round.count?.isComplete(with: round.given) == true else { return }
            round.count?.add(round.given)
            round.given = 0
        }
    }

    // Report while holding the lock, so that reports are in order and none follows the response.

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
    /// The content without its meters, and the meters that count it.
    var unmetered: (body: Body, meters: [ProgressMeter]) {
        guard let metered else { return (self, []) }
        let inner = metered.content.unmetered
        return (inner.body, [metered.meter] + inner.meters)
    }

    /// Returns an iterator of the chunks to send. Content in memory is split into pieces. Otherwise, it would count
    /// as sent all at once.
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
