// SPDX-License-Identifier: Apache-2.0

import RepriseStorage
import Testing

@testable import RepriseCommand

@Suite struct TrustStoreTests {
    private static let certificate = "/home/u/ca.pem"
    private static let copy = "/usr/local/share/ca-certificates/reprise-ca.crt"
    private static let link = "/etc/ssl/certs/reprise-ca.pem"
    private static let bundle = "/etc/ssl/certs/ca-certificates.crt"
    private static let (own, former, others) = ("own\n", "former\n", "some\nother\n")

    private let debian = TrustStore.system(certificate, folder: FilePlace("/usr/local/share/ca-certificates"))
    private let database = TrustStore.database("/home/u/db", certificate)
    private let keychain = TrustStore.keychain("/home/u/k", certificate)

    /// A machine with these files, on which each command ends with the next status.
    private func machine(_ files: [String: String] = [:], statuses: [Int32] = []) -> Machine {
        let left = Statuses(statuses)
        return Machine(
            run: { _ in left.next() },
            read: { (path: String) throws(FileError) -> [UInt8]? in
                if files[path] == "forbidden" { throw FileError(code: 13, call: "open", path: path) }
                return files[path] == "nowhere" ? nil : files[path].map { Array($0.utf8) }
            },
            hasEntry: { files[$0] != nil }
        )
    }

    private final class Statuses {
        private var left: [Int32]

        init(_ statuses: [Int32]) { left = statuses }

        func next() -> Int32 { left.isEmpty ? 1 : left.removeFirst() }
    }

    /// Programs read the bundle or the link, so they decide, and not the copy that the next update would read.
    @Test(
        arguments: [
            (own, nil, nil, others, .absent),
            (nil, nil, nil, others, .absent),
            (own, nil, nil, nil, .absent),
            (own, own, own, others + own, .current),
            (own, own, own, others, .outdated),
            (own, own, nil, others, .outdated),
            (own, nil, nil, others + own, .outdated),
            (own, nil, "nowhere", others, .outdated),
            (nil, nil, "nowhere", others, .outdated),
            (own, former, former, others + former, .outdated),
            (nil, own, own, others + own, .outdated),
            (own, nil, own, others + own, .outdated),
        ] as [(String?, String?, String?, String?, TrustStore.State)]
    )
    func systemStateIsWhatProgramsRead(
        authority: String?,
        copy: String?,
        link: String?,
        bundle: String?,
        state: TrustStore.State
    ) {
        let files = [Self.certificate: authority, Self.copy: copy, Self.link: link, Self.bundle: bundle]
        #expect(debian.state(machine(files.compactMapValues(\.self))) == state)
    }

    @Test(arguments: [bundle, certificate])
    func systemIsUnknownIfFileCannotBeRead(path: String) {
        var files = [Self.certificate: Self.own, Self.bundle: Self.others]
        files[path] = "forbidden"
        #expect(debian.state(machine(files)).isUnknown)
    }

    @Test(
        arguments: [
            ([0, 0], .current), ([0, 1], .outdated), ([0, 2], .outdated), ([44], .absent),
        ] as [([Int32], TrustStore.State)]
    )
    func databaseStateIsWhatCertutilSays(statuses: [Int32], state: TrustStore.State) {
        #expect(database.state(machine(statuses: statuses)) == state)
    }

    @Test(arguments: [1, 126, 127, 137, 255] as [Int32])
    func databaseIsUnknownIfCertutilFails(status: Int32) {
        #expect(database.state(machine(statuses: [status])).isUnknown)
        for trusts in [true, false] {
            let change = database.change(toTrust: trusts, on: machine(statuses: [status, 0, 0, 0]))
            guard case .left(let step) = change else {
                Issue.record("expected a step for the user, found \(change)")
                continue
            }
            #expect(
                step.hasSuffix(
                    "then run: certutil \(trusts ? "-A -t C,, -i /home/u/ca.pem" : "-D") -d sql:/home/u/db -n reprise-ca"
                )
            )
        }
    }

    @Test(arguments: [(0, .current), (1, .absent)] as [(Int32, TrustStore.State)])
    func keychainStateIsWhatSecuritySays(status: Int32, state: TrustStore.State) {
        let files = [Self.certificate: Self.own]
        #expect(keychain.state(machine(files, statuses: [status])) == state)
        #expect(keychain.state(machine(files, statuses: [2])).isUnknown)
        #expect(keychain.state(machine(statuses: [2])) == .absent)
    }

    @Test func commandsDependOnState() {
        let store = database
        let both = store.removals + store.additions
        let cases: [(TrustStore.State, install: [[String]], uninstall: [[String]])] = [
            (.current, [], store.removals), (.outdated, both, store.removals), (.absent, store.additions, []),
            (.unknown("x"), store.additions, store.removals),
        ]
        for (state, install, uninstall) in cases {
            #expect(store.commands(from: state, toTrust: true) == install)
            #expect(store.commands(from: state, toTrust: false) == uninstall)
        }
    }

    /// The statuses are those of the first look, of the commands, and of the second look.
    @Test(
        arguments: [
            (true, [0, 0], .none), (true, [44, 0, 0, 0], .done), (true, [0, 1, 0, 0, 0, 0], .done),
            (false, [44], .none), (false, [0, 0, 0, 44], .done),
        ] as [(Bool, [Int32], TrustStore.Change)]
    )
    func changeIsVerified(trusts: Bool, statuses: [Int32], change: TrustStore.Change) {
        #expect(database.change(toTrust: trusts, on: machine(statuses: statuses)) == change)
    }

    @Test(
        arguments: [
            (true, [44, 1]), (true, [44, 0, 44]), (true, [44, 0, 0, 1]), (false, [0, 0, 1]), (false, [0, 0, 0, 0, 0]),
            (false, [0, 0, 0, 127]),
        ] as [(Bool, [Int32])]
    )
    func changeWithoutEffectIsLeftToUser(trusts: Bool, statuses: [Int32]) {
        let change = database.change(toTrust: trusts, on: machine(statuses: statuses))
        guard case .left(let step) = change else {
            Issue.record("expected a step for the user, found \(change)")
            return
        }
        #expect(step.hasPrefix("run: certutil "))
    }

    @Test func systemWithOtherToolIsLeftToUser() {
        let store = TrustStore.system(Self.certificate, folder: nil)
        let trusting = machine([Self.certificate: Self.own, Self.bundle: Self.others + Self.own])
        let other = machine([Self.certificate: Self.own, Self.bundle: Self.others])
        #expect(store.change(toTrust: true, on: trusting) == .none)
        #expect(store.change(toTrust: false, on: other) == .none)
        let tool = "with the tool of this system, such as update-ca-trust or trust"
        #expect(store.change(toTrust: true, on: other) == .left("add /home/u/ca.pem \(tool)"))
        #expect(store.change(toTrust: false, on: trusting) == .left("remove /home/u/ca.pem \(tool)"))
    }
}

extension TrustStore.State {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}
