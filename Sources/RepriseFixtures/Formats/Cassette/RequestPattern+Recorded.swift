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
    /// Creates the pattern of a recorded request. Stand-ins, in any of their spellings, become masks.
    ///
    /// - Parameters:
    ///   - request: The recorded request.
    ///   - standIns: The texts that stand for values. If it is `nil`, these are all redaction markers without a number
    ///     (``RedactionMarker``), as in a cassette of format 1.
    ///   - contents: Reads a body from a file. If it returns `nil`, the body is not compared.
    package init(
        recorded request: RecordedRequest,
        standIns: StandInTexts? = nil,
        contents: (FileSource) -> [UInt8]? = BodyPattern.contents(of:)
    ) {
        // Any value matches in place of a redacted one. A named marker gives the mask its name.
        let findMasks: MaskFinder = { RedactionMarker.ranges(in: $0, withNumbers: false) }
        self.init(
            recordedMethod: request.method,
            url: request.url,
            headers: request.headers,
            body: BodyPattern(recorded: request, contents: contents),
            recordedBodyCount: request.body?.source.count ?? 0,
            findMasks: standIns == nil ? findMasks : nil
        )
        if let standIns { self = replacing(standIns) }
    }
}

extension BodyPattern {
    /// The maximum size of a body file that is compared. Servers accept no larger bodies.
    private static let maximumFileSize = 64 << 20

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

    /// Returns the content of a file, or `nil` if it cannot be read.
    package static func contents(of file: FileSource) -> [UInt8]? {
        FileManager.default.contents(atPath: file.path).map { Array($0) }
    }
}

extension OwnedRequest {
    /// Creates the request as it was recorded.
    package init(_ request: RecordedRequest, body: [UInt8]) {
        self.init(method: request.method, url: request.url, headers: request.headers, body: body)
    }
}
