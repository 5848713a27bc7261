// SPDX-License-Identifier: Apache-2.0

/// Which requests a fixture answers. Everything in it is canonical, so that comparing is comparing bytes.
public struct RequestPattern: Sendable, Hashable {
    public var method: String
}
