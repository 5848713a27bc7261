// SPDX-License-Identifier: Apache-2.0

private import RepriseConnections
internal import RepriseText

/// Translates an upstream's header lines for a client of the proxy. Only lines that would lead the client past the
/// proxy are changed. Pure, and the same for all clients, so that a replay from a cassette produces the same lines.
struct ResponseTranslation {
    let address: UpstreamAddress
    /// Whether the client's connection uses TLS.
    let isClientSecure: Bool

    /// Returns the lines for the client; `nil` if nothing changes.
    func translated(_ lines: [HeaderLine]) -> [HeaderLine]? {
        // Most responses have neither field.
        guard lines.contains(where: { $0.hasName("location") || $0.hasName("set-cookie") }) else { return nil }
        let translated = lines.map { line in
            // The path leads back to the proxy under any name that the client used for it.
            if line.hasName("location") { return line.location(address.local) }
            return line.hasName("set-cookie") ? cookie(line) : line
        }
        return translated == lines ? nil : translated
    }

    /// Removes `Domain` if it names the upstream. Without it, a cookie belongs to the host that set it, which is the
    /// proxy here (RFC 6265 section 5.2).
    private func cookie(_ line: HeaderLine) -> HeaderLine {
        guard let text = line.text else { return line }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        var kept: [String] = []
        for part in parts {
            if kept.isEmpty { kept.append(String(part)) } else if let part = attribute(part) { kept.append(part) }
        }
        let value = kept.joined(separator: ";")
        return value == text ? line : line.replacingValue(with: value) ?? line
    }

    /// Returns the attribute for the client; nil if it would keep the client from sending the cookie to the proxy.
    private func attribute(_ part: Substring) -> String? {
        let text = part.drop { $0 == " " }
        let name = text.prefix { $0 != "=" }.lowercased()
        let value = text.dropFirst(name.count + 1)
        switch name {
        case "domain": return belongsToUpstream(value.lowercased()) ? nil : String(part)
        case "secure": return address.origin.isSecure && !isClientSecure ? nil : String(part)
        case "path" where !address.prefix.isEmpty:
            guard let local = address.local(String(value)) else { return String(part) }
            return " Path=" + (local.isEmpty ? "/" : local)
        default: return String(part)
        }
    }

    /// Whether the domain matches the upstream's host (RFC 6265 section 5.1.3).
    private func belongsToUpstream(_ domain: String) -> Bool {
        let domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        return address.origin.host == domain || address.origin.host.hasSuffix("." + domain)
    }
}

extension HeaderLine {
    /// The value as text; `nil` if it is not UTF-8 and must stay unchanged.
    var text: String? {
        let value = value
        return value.utf8.elementsEqual(valueBytes) ? value : nil
    }
}
