// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request's content in a form that a URL session accepts: in memory, or in a temporary file that exists as long as
/// this object.
///
/// A session could also read from a stream. On Linux, however, it reads the stream on its own queue, where a slow body
/// would block all other requests. On Apple platforms, providing the stream's memory would require unsafe code.
final class UploadBody: Sendable {
    /// The maximum number of bytes that are kept in memory.
    static let memoryLimit = 1 << 20

    let content: Content

    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    /// Creates content in memory, or no content if `bytes` is nil.
    init(_ bytes: [UInt8]?) {
        content = bytes.map { .data(Data($0)) } ?? .none
    }

    /// Reads a body to its end.
    ///
    /// - Parameters:
    ///   - body: The body to send.
    ///   - request: The request that it belongs to.
    ///   - folder: The folder for a file, if one is needed.
    /// - Throws: ``TransportError/Code/requestBody`` if the body fails, does not have the announced length, or cannot
    ///   be written.
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
                // Some sequences never end and do not check for cancellation.
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
            try body.check(count: count)
        } catch {
            if let file { try? FileManager.default.removeItem(at: file.url) }
            throw error
        }
        return file.map { .file($0.url) } ?? .data(memory)
    }

    private static func newFile(in folder: URL) throws -> (handle: FileHandle, url: URL) {
        let url = folder.appendingPathComponent("reprise-upload-\(UUID().uuidString)")
        // Only the current user may read a request's content.
        let attributes = [FileAttributeKey.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return (try FileHandle(forWritingTo: url), url)
    }
}

extension Body {
    var inMemory: [UInt8]? {
        if case .bytes(let bytes) = storage { bytes } else { nil }
    }
}

extension TransportError {
    /// Creates an error for a canceled task.
    init(cancelled request: HTTPRequest) {
        self.init(.cancelled, "\(request.method) \(request.shownURL): the task was canceled")
    }
}
