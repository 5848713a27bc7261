// SPDX-License-Identifier: Apache-2.0

private import RepriseContentCoding
package import RepriseText

/// The content of a request without its content coding (RFC 9110 section 8.4). Recorders keep it in this form.
package enum DecodedContent {
    /// Returns the decoded content of a request. Returns `nil` if it has no coding or an unsupported one, or if the
    /// content is invalid, or larger than `limit` when it is decoded.
    package static func decoded(_ request: RequestView, limit: Int) -> [UInt8]? {
        guard request.isContentComplete, !request.content.isEmpty,
            let field = request.joinedValue(named: "Content-Encoding")
        else { return nil }
        let names = String(decoding: field, as: UTF8.self).lowercased().split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" } }.filter { $0 != "identity" && !$0.isEmpty }
        // More than one coding is possible, but rare.
        guard 1...3 ~= names.count else { return nil }
        var content = [UInt8](bytes: request.content)
        for name in names.reversed() {
            guard content.count <= limit, let coding = coding(String(name)),
                let decoded = decoded(content, coding, limit: limit)
            else { return nil }
            content = decoded
        }
        return content
    }

    private static func coding(_ name: String) -> Inflater.Coding? {
        switch name {
        case "gzip", "x-gzip": .gzip
        case "deflate": .deflate
        default: nil
        }
    }

    private static func decoded(_ content: [UInt8], _ coding: Inflater.Coding, limit: Int) -> [UInt8]? {
        var inflater = Inflater(coding)
        inflater.append(content)
        var decoded: [UInt8] = []
        do throws(Inflater.Failure) {
            while let bytes = try inflater.next() {
                guard decoded.count + bytes.count <= limit else { return nil }
                decoded += bytes
            }
        } catch {
            return nil
        }
        return inflater.isComplete ? decoded : nil
    }
}
