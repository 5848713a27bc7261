// SPDX-License-Identifier: Apache-2.0

internal import RepriseHashing
internal import RepriseLocking

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Call {
    /// Sends the call and saves the content of its response as a file.
    ///
    /// ```swift
    /// try await api.get("/films/7").download(to: film, resuming: true)
    /// ```
    ///
    /// The content is written to a file with the suffix `.partial` in the same folder as it is received, so it takes
    /// little memory. When it is complete, the file is moved to its place in one step, replacing an existing file.
    ///
    /// With `resuming`, a download that breaks off keeps its partial file, also across launches of the program. The
    /// next download of the same URL to the same file requests only the rest (RFC 9110 section 14). If the content
    /// has changed in the meantime, or if the server does not support ranges or sends no strong ETag or date, the
    /// download starts over. Without `resuming`, the partial file is removed.
    ///
    /// The call's timeout applies until the head of the response is received. After that, ``idleTimeout(_:)`` limits
    /// the time without data. ``onDownloadProgress(_:)`` includes the bytes of a partial file.
    ///
    /// - Parameters:
    ///   - file: The URL of the file. Its folder is created if it does not exist.
    ///   - isResuming: Whether to continue a partial download, and to keep one that breaks off.
    /// - Returns: The head of the last response, whose status is 206 after a resumption.
    /// - Throws: The errors of ``stream()``, and ``ClientError/Code/file`` if the file cannot be written, or if another
    ///   download writes to it.
    @discardableResult
    @concurrent
    public func download(to file: URL, resuming isResuming: Bool = false) async throws -> HTTPResponse {
        var destination = try DownloadFile(for: file)
        do {
            let head = try await download(into: &destination, resuming: isResuming)
            try destination.finish()
            return head
        } catch {
            let isOfUse = isResuming && destination.size > 0 && destination.version != nil
            if !isOfUse { destination.remove() }
            throw error
        }
    }

    /// Sends the call and returns the content of its response, continuing a download that broke off.
    ///
    /// ```swift
    /// var partial = PartialDownload()
    /// let film = try await RetryPolicy.exponential().run { _ in
    ///     try await api.get("/films/7").download(resuming: &partial)
    /// }
    /// ```
    ///
    /// If the download breaks off, `partial` has the bytes received until then, and the next download with it requests
    /// only the rest. It starts over under the same conditions as ``download(to:resuming:)``.
    ///
    /// - Parameter partial: The bytes received so far, which are empty after a complete download.
    /// - Returns: The complete content.
    /// - Throws: The errors of ``stream()``.
    @concurrent
    public func download(resuming partial: inout PartialDownload) async throws -> Data {
        try await download(into: &partial, resuming: true)
        let data = partial.data
        partial = PartialDownload()
        return data
    }

    /// Downloads the content, or the rest of it.
    ///
    /// - Returns: The head of the last response.
    @discardableResult
    @concurrent
    private func download(
        into destination: inout some DownloadDestination,
        resuming isResuming: Bool
    ) async throws -> HTTPResponse {
        let request = try request()
        let url = SHA256.hexadecimal(of: Array(request.urlText.utf8))
        let canResume = isResuming && request.method == .get && request.headerFields[.range] == nil
        // The range of coded content would depend on how the server coded it before.
        let call =
            canResume && request.headerFields[.acceptEncoding] == nil ? header(.acceptEncoding, "identity") : self
        var usesRange = canResume
        while true {
            let version = usesRange && destination.version?.url == url ? destination.version : nil
            let offset = version == nil ? 0 : destination.size
            let (head, body) = try await call.part(from: offset, of: version)
            var isIncomplete = false
            switch DownloadStep(head, offset: offset, validator: version?.validator) {
            case .complete: return head
            case .repeatWithoutRange:
                usesRange = false
                continue
            case .restart:
                let validator = canResume ? head.rangeValidator : nil
                try destination.restart(validator.map { DownloadVersion(url: url, validator: $0) })
                for try await chunk in body { try destination.append(chunk) }
            case .append(let end, let total):
                for try await chunk in body { try destination.append(chunk) }
                guard destination.size == end else {
                    let count = destination.size - offset
                    try destination.restart(nil)
                    throw ClientError(
                        .transport,
                        "expected the bytes \(offset) to \(end - 1), found \(count) bytes; download "
                            + "the content again",
                        request: request
                    )
                }
                // A server may send less than was requested.
                isIncomplete = end < total ?? end
            }
            if !isIncomplete { return head }
        }
    }

    /// Requests the content from an offset. An offset of 0 requests all of it.
    private func part(from offset: Int, of version: DownloadVersion?) async throws -> (HTTPResponse, Body) {
        guard offset > 0, let version else {
            let response = try await stream()
            return (response.head, response.body)
        }
        let answered = Locked<HTTPResponse?>(nil)
        let call = header(.range, "bytes=\(offset)-").header(.ifRange, version.validator)
            .intercept { request, next in
                let response = try await next(request)
                answered.withLock { $0 = response.head }
                return response
            }
        do {
            let response = try await call.stream()
            return (response.head, response.body)
        } catch {
            // The call does not accept the status, but it is an answer to the range.
            guard let head = answered.withLock({ $0 }), head.status == .rangeNotSatisfiable else { throw error }
            return (head, .empty)
        }
    }
}
