// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseLocking

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The open cassettes, and the cassettes of the protocol classes in the configurations of URL sessions.
enum SessionCassettes {
    private static let state = Locked(State())

    private struct State {
        var open: [TestCassette] = []
        var owners: [ObjectIdentifier: ClassOwner] = [:]
    }

    private struct ClassOwner {
        weak var cassette: TestCassette?
        let path: String
        /// Nil after the test.
        var configuration: URLSessionConfiguration?
    }

    /// The open cassettes, without those that another one replaces.
    static var innermost: [TestCassette] {
        let open = state.withLock { $0.open }
        return open.filter { cassette in !open.contains { $0.outer === cassette } }
    }

    /// Lets the cassette answer the requests of URL sessions until it is closed.
    static func open(_ cassette: TestCassette) {
        state.withLock { state in
            state.open.append(cassette)
            if state.open.count == 1 { SharedSession.install() }
        }
    }

    static func close(_ cassette: TestCassette) {
        state.withLock { state in
            guard let place = state.open.firstIndex(where: { $0 === cassette }) else { return }
            state.open.remove(at: place)
            for (type, owner) in state.owners where owner.cassette === cassette {
                state.owners[type]?.configuration = nil
            }
            if state.open.isEmpty { SharedSession.uninstall() }
        }
    }

    /// Returns a new protocol class whose requests the cassette answers.
    ///
    /// No other cassette gets this class, because a session that outlives its test must not find another test's
    /// cassette. A class takes about a kilobyte.
    ///
    /// - Parameter configuration: The configuration that will contain the class.
    static func newClass(
        for cassette: TestCassette,
        in configuration: URLSessionConfiguration
    ) -> CassetteURLProtocol.Type {
        state.withLock { state in
            let type = Zero.type(state.owners.count).protocolClass
            state.owners[ObjectIdentifier(type)] = ClassOwner(
                cassette: cassette,
                path: cassette.path,
                configuration: state.open.contains { $0 === cassette } ? configuration : nil
            )
            return type
        }
    }

    static func owner(of type: CassetteURLProtocol.Type) -> SessionOwner {
        let owner = state.withLock { $0.owners[ObjectIdentifier(type)] }
        return owner?.cassette.map { .cassette($0) } ?? .ended(path: owner?.path ?? "the cassette")
    }

    static func configuration(of type: CassetteURLProtocol.Type) -> URLSessionConfiguration? {
        state.withLock { $0.owners[ObjectIdentifier(type)]?.configuration }
    }
}

/// A number as a type, in binary: `Odd<Even<Odd<Zero>>>` is 5. Each number makes another class of a generic class.
private protocol SlotNumber {}

extension SlotNumber {
    static var protocolClass: CassetteURLProtocol.Type { OwnSessionProtocol<Self>.self }
    private static var even: any SlotNumber.Type { Even<Self>.self }
    private static var odd: any SlotNumber.Type { Odd<Self>.self }
}

private enum Zero: SlotNumber {}
private enum Even<Half: SlotNumber>: SlotNumber {}
private enum Odd<Half: SlotNumber>: SlotNumber {}

extension SlotNumber where Self == Zero {
    static func type(_ number: Int) -> any SlotNumber.Type {
        guard number > 0 else { return Zero.self }
        let half = type(number / 2)
        return number.isMultiple(of: 2) ? half.even : half.odd
    }
}

/// The protocol of the sessions that were made with a cassette's configuration.
private final class OwnSessionProtocol<Number: SlotNumber>: CassetteURLProtocol {
    override var owner: SessionOwner? { SessionCassettes.owner(of: Self.self) }
    override var configuration: URLSessionConfiguration? { SessionCassettes.configuration(of: Self.self) }
}
