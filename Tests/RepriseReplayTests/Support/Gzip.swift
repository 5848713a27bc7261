// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Content in gzip (RFC 1952).
enum Gzip {
    /// The content of ``sample``.
    static let sampleContent = Array(#"{"a": "\#(String(repeating: "text ", count: 40))"}"#.utf8)
    /// `{"a": "text text …"}`.
    static let sample = Array(
        Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyUlAqSa0oURgGhFItAI4S1iDRAAAA") ?? Data()
    )
}
