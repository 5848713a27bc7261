// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An option's value from the environment, for where the command line does not give it.
struct EnvironmentVariable {
    /// The variable's name.
    let name: String
    private let value: String?

    /// The variable of `option`: `--after-last` is `MOCKSERVER_AFTER_LAST`. An empty value counts as none.
    init(of option: String, in environment: [String: String] = ProcessInfo.processInfo.environment) {
        name = "MOCKSERVER_" + option.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
        value = environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text, if there is one.
    func text() -> String? { value }

    /// The value that the text stands for.
    ///
    /// - Throws: `ValidationError`, which names the variable.
    func parsed<Value: OptionValue>(as type: Value.Type = Value.self) throws -> Value? {
        try value.map { try Value.parsed($0, from: name) }
    }

    /// Whether a flag is set: 1, true, yes or on.
    ///
    /// - Throws: `ValidationError`, which names the variable, for anything that is neither that nor its opposite.
    func isSet() throws -> Bool {
        switch value?.lowercased() {
        case "1", "true", "yes", "on": return true
        case nil, "0", "false", "no", "off": return false
        case let other?: throw ValidationError("\(name): expected 1 or 0, found '\(other)'")
        }
    }

    /// The members of a list, separated by commas or spaces.
    func list() -> [String] {
        (value ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }
}
