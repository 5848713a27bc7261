// SPDX-License-Identifier: Apache-2.0

/// Which requests go through which proxy.
public struct Proxies: Sendable, Hashable {
    /// No proxy: every request goes to its origin.
    public static let none = Proxies()

    /// No proxy for anything yet.
    public init() {}

    /// What the variables of an environment say: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    public init(environment: [String: String]) {
        self.init()
    }
}
