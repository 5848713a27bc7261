// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Options that make no sense together.
enum Contradiction {
    /// Reports arguments that have no effect beside `option`. Environment variables may be set for other runs, so only
    /// arguments of the command line are given.
    ///
    /// - Parameter arguments: The names of the arguments, and whether they are given.
    /// - Throws: `ValidationError` with the first one that is given.
    static func refuse(_ option: String, with arguments: KeyValuePairs<String, Bool>) throws {
        guard let other = arguments.first(where: \.value)?.key else { return }
        throw ValidationError("expected \(option) or \(other), found both; remove one of them")
    }
}

/// An option's value from the environment, used if the command line does not set it.
struct EnvironmentVariable {
    /// The start of the names of all variables of options.
    static let prefix = "MOCKSERVER_"

    let name: String
    private let value: String?

    /// Reads the variable of `option`, such as `MOCKSERVER_AFTER_LAST` for `--after-last`. An empty value counts as
    /// missing.
    init(of option: String, in environment: [String: String] = ProcessInfo.processInfo.environment) {
        name = Self.prefix + option.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
        value = environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text; nil if the variable is not set.
    func text() -> String? { value }

    /// Whether a flag is set: 1, true, yes, or on.
    ///
    /// - Throws: `ValidationError` with the variable's name if the value is neither one of these nor 0, false, no, or
    ///   off.
    func isSet() throws -> Bool {
        if let flag = NetworkPermission.flag(value) { return flag }
        throw ValidationError("\(name): expected 1 or 0, found '\(value ?? "")'")
    }

    /// Returns the arguments of `option` or, if there are none, the members of the list in the variable, and where they
    /// come from.
    ///
    /// - Parameter isSeparator: Whether a character separates members. By default, commas and spaces do.
    func list(
        unless arguments: [String],
        _ option: String,
        separatedBy isSeparator: (Character) -> Bool = { $0 == "," || $0 == " " }
    ) -> (texts: [String], place: String) {
        guard arguments.isEmpty else { return (arguments, option) }
        return ((value ?? "").split(whereSeparator: isSeparator).map(String.init), name)
    }
}
