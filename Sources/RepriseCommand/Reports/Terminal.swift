// SPDX-License-Identifier: Apache-2.0

import RepriseIO

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The capabilities of the terminal at standard error.
struct Terminal {
    /// Whether lines can be replaced. `TERM=dumb` means that they cannot.
    let replacesLines: Bool
    /// Whether to use colors. `NO_COLOR` turns them off (https://no-color.org).
    let hasColors: Bool

    /// Examines standard error and the environment.
    init(
        isTerminal: Bool = StandardStream.error.isTerminal,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        replacesLines = isTerminal && environment["TERM"] != "dumb"
        hasColors = replacesLines && environment["NO_COLOR", default: ""].isEmpty
    }
}
