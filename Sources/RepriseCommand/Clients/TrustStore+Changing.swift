// SPDX-License-Identifier: Apache-2.0

import RepriseText

extension TrustStore {
    /// What was done with a store.
    enum Change: Equatable {
        /// Nothing, because it was already as wanted.
        case none
        case done
        /// It may not be as wanted until the user has done this.
        case left(String)
    }

    /// Runs the commands that change the store, unless it cannot be read, or another user has to run them.
    ///
    /// - Parameter trusts: Whether the store should trust the authority.
    func change(toTrust trusts: Bool, on machine: Machine) -> Change {
        let (state, goal) = (state(machine), trusts ? State.current : .absent)
        if state == goal { return .none }
        let commands = commands(from: state, toTrust: trusts)
        if commands.isEmpty {
            let step = trusts ? "add \(certificate)" : "remove \(certificate)"
            return .left("\(step) with the tool of this system, such as update-ca-trust or trust")
        }
        let words = commands.map { ((isChangeable ? [] : ["sudo"]) + $0).map(DisplayText.shellWord) }
        let step = "run: \(words.map { $0.joined(separator: " ") }.joined(separator: " && "))"
        if case .unknown(let reason) = state { return .left("\(reason); then \(step)") }
        let isRun = isChangeable && commands.allSatisfy { machine.run($0) == 0 }
        return isRun && self.state(machine) == goal ? .done : .left(step)
    }

    /// Returns the commands that make a store in this state trust the authority, or no longer trust it.
    func commands(from state: State, toTrust trusts: Bool) -> [[String]] {
        switch (state, trusts) {
        case (.current, true), (.absent, false): []
        // A former authority has the same name.
        case (.outdated, true): removals + additions
        case (.absent, true), (.unknown, true): additions
        case (_, false): removals
        }
    }
}
