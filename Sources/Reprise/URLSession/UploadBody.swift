// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request's content in a form that a URL session takes: in memory, or in a temporary file that lives as long as this.
///
/// A session could also read from a stream, but only one that is asked on the session's own queue (Linux) or that hands
/// out memory (Apple): a slow body would hold up all other requests there, and need unsafe code here.
final class UploadBody: Sendable {
    /// Up to so many bytes are kept in memory.
    static let memoryLimit = 1 << 20

    let content: Content

    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    /// Content in memory; nil for none.
    init(_ bytes: [UInt8]?) {
        content = bytes.map { .data(Data($0)) } ?? .none
    }

    /// Reads a body to its end.
    ///
    /// - Parameters:
    ///   - body: what is to be sent.
    ///   - request: with which it is sent.
    ///   - folder: where a file goes if it is needed.
    /// - Throws: ``TransportError/Code/requestBody`` if the body fails, is not as long as it says, or cannot be written.
    init(
        reading body: Body,
        of request: HTTPRequest,
        into folder: URL = FileManager.default.temporaryDirectory
    ) async throws(TransportError) {
        do {
            content = try await Self.read(body, into: folder)
        } catch let error as TransportError where error.code == .requestBody {
            throw error
        } catch {
            if Task.isCancelled { throw TransportError(cancelled: request) }
            let message = "\(request.method) \(request.shownURL): the request's body failed: \(error)"
            throw TransportError(.requestBody, message, underlying: error)
        }
    }

    /// A task that sends the request with this.
    func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        switch content {
        case .none: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let url): session.uploadTask(with: request, fromFile: url)
        }
    }

    deinit {
        if case .file(let url) = content { try? FileManager.default.removeItem(at: url) }
    }

    private static func read(_ body: Body, into folder: URL) async throws -> Content {
        var memory = Data()
        var file: (handle: FileHandle, url: URL)?
        var count = 0
        do {
            for try await chunk in body {
                // Some sequences go on for ever, and do not look.
                try Task.checkCancellation()
                count += chunk.count
                if let file {
                    try file.handle.write(contentsOf: Data(chunk))
                    continue
                }
                memory += chunk
                guard memory.count > memoryLimit else { continue }
                file = try newFile(in: folder)
                try file?.handle.write(contentsOf: memory)
                memory = Data()
            }
            try file?.handle.close()
            if let length = body.length, length != count {
                throw TransportError(.requestBody, "the request's body was to have \(length) bytes and has \(count)")
            }
        } catch {
            if let file { try? FileManager.default.removeItem(at: file.url) }
            throw error
        }
        return file.map { .file($0.url) } ?? .data(memory)
    }

    private static func newFile(in folder: URL) throws -> (handle: FileHandle, url: URL) {
        let url = folder.appendingPathComponent("reprise-upload-\(UUID().uuidString)")
        // Content of a request is nobody else's business.
        let attributes = [FileAttributeKey.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return (try FileHandle(forWritingTo: url), url)
    }
}

extension Body {
    /// The content, if it is there whole.
    var inMemory: [UInt8]? {
        if case .bytes(let bytes) = storage { bytes } else { nil }
    }
}

extension TransportError {
    /// The task was cancelled.
    init(cancelled request: HTTPRequest) {
        self.init(.cancelled, "\(request.method) \(request.shownURL): the task was cancelled")
    }
}
