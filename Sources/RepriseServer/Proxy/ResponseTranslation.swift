// SPDX-License-Identifier: Apache-2.0

private import HTTPConnections
internal import RepriseFixtures

/// An upstream server's header lines as a client of the proxy gets them: all as they came, but for those that would lead
/// the client past the proxy. Pure.
struct ResponseTranslation {
    let address: UpstreamAddress
    /// `http://host:port` as the client calls the proxy; nil if it does not say.
    let clientBase: String?
    /// Whether the client's connection is protected by TLS.
    let isClientSecure: Bool

    /// The lines for the client.
    func lines(_ lines: [HeaderLine]) -> [HeaderLine] {
        // Most responses have neither.
        guard lines.contains(where: { $0.hasName("location") || $0.hasName("set-cookie") }) else { return lines }
        return lines.map { line in
            if line.hasName("location") { return location(line) }
            return line.hasName("set-cookie") ? cookie(line) : line
        }
    }

    private func location(_ line: HeaderLine) -> HeaderLine {
        let reference = line.value
        guard let local = address.local(reference) else { return line }
        if reference.hasPrefix("/") { return line.replacingValue(with: local.isEmpty ? "/" : local) ?? line }
        guard let clientBase else { return line }
        return line.replacingValue(with: clientBase + local) ?? line
    }

    /// RFC 6265 section 5.2: without `Domain` a cookie belongs to the host that set it, which is the proxy here.
    private func cookie(_ line: HeaderLine) -> HeaderLine {
        let parts = line.value.split(separator: ";", omittingEmptySubsequences: false)
        var kept: [String] = []
        for part in parts {
            if kept.isEmpty { kept.append(String(part)) } else if let part = attribute(part) { kept.append(part) }
        }
        let value = kept.joined(separator: ";")
        return value == line.value ? line : line.replacingValue(with: value) ?? line
    }

    /// The attribute for the client; nil if it would keep the cookie away from the proxy.
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

    /// RFC 6265 section 5.1.3.
    private func belongsToUpstream(_ domain: String) -> Bool {
        let domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        return address.origin.host == domain || address.origin.host.hasSuffix("." + domain)
    }
}
