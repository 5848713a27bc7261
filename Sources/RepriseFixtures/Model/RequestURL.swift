// SPDX-License-Identifier: Apache-2.0

/// What a recorded request may have as its URL: an absolute http or https one, or a path with an optional query.
enum RequestURL {
    /// What keeps `url` from being one, in words; `nil` if nothing does.
    static func fault(of url: Span<UInt8>) -> String? {
        for index in url.indices {
            let byte = url[index]
            if byte <= 0x20 || byte == 0x7F { return "white space or a control character" }
            if byte == UInt8(ascii: "#") { return "a fragment, which is never sent," }
        }
        if url.count > 0, url[0] == UInt8(ascii: "/") { return nil }
        for (scheme, length) in [("http://", 7), ("https://", 8)] where url.startsCaseInsensitively(with: scheme) {
            let hasHost = url.count > length && url[length] != UInt8(ascii: "/") && url[length] != UInt8(ascii: "?")
            return hasHost ? nil : "no host"
        }
        return "neither"
    }
}
