// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseMatching
package import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension RequestPattern {
    /// The pattern of a recorded request. Its masks are the markers of redaction (``RedactionMarker``), in any of their
    /// spellings.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - contents: Reads a body that is kept in a file; `nil` if it cannot be read, and then it is not compared.
    package init(
        recorded request: RecordedRequest,
        contents: (FileSource) -> [UInt8]? = BodyPattern.contents(of:)
    ) {
        self.init(
            recordedMethod: request.method,
            url: request.url,
            headers: request.headers,
            body: BodyPattern(recorded: request, contents: contents),
            recordedBodyCount: request.body?.source.count ?? 0,
            // For a value that was redacted, any other will do; the marker is its name.
            findMasks: { RedactionMarker.ranges(in: $0) }
        )
    }
}

extension BodyPattern {
    /// The largest body file that is compared; no server would take in more.
    private static let maximumFileSize = 64 << 20

    /// The pattern of the body of a recorded request.
    init(recorded request: RecordedRequest, contents: (FileSource) -> [UInt8]?) {
        guard request.comparesBody else {
            self = .any
            return
        }
        let bytes: [UInt8]?
        switch request.body?.source {
        case nil: bytes = []
        case .bytes(let body)?: bytes = body
        case .file(let file)?: bytes = file.size <= Self.maximumFileSize ? contents(file) : nil
        }
        guard let bytes else {
            self = .any
            return
        }
        let contentType = request.headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        self.init(recorded: bytes, contentType: contentType)
    }

    /// What a file holds; `nil` if it cannot be read.
    package static func contents(of file: FileSource) -> [UInt8]? {
        FileManager.default.contents(atPath: file.path).map { Array($0) }
    }
}

extension OwnedRequest {
    /// The request as it was recorded.
    package init(_ request: RecordedRequest, body: [UInt8]) {
        self.init(method: request.method, url: request.url, headers: request.headers, body: body)
    }
}
