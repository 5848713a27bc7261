// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A network of its own for a ``CommandProcess``, with the loopback interface alone and one listening socket of this
/// process.
///
/// On Linux, it is a network namespace, and, unless this process is privileged, a user namespace in which only the
/// user and the group of this process exist (user_namespaces(7)). Other systems have nothing like it.
package final class SealedNetwork: Sendable {
    /// The reason that there cannot be one.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        let step: Int32
        let error: SystemError

        package var description: String {
            guard error.code != ENOSYS else { return "expected Linux, found a system without network namespaces" }
            let remedy =
                step == Int32(shim_seal_fork)
                ? ""
                : """
                ; it needs either root's rights, or a system on which other users can create user namespaces \
                (user.max_user_namespaces is not 0, and AppArmor and seccomp do not forbid it); start a \
                container with --cap-add SYS_ADMIN --cap-add NET_ADMIN
                """
            return "\(error)\(remedy)"
        }
    }

    private let namespaces: shim_sealed_network
    /// The descriptor of a socket in the network, until it listens.
    private let socket: Locked<Int32?>

    package init() throws(Failure) {
        var namespaces = shim_sealed_network(network: -1, user: -1, socket: -1)
        var step: Int32 = 0
        let code = unsafe shim_seal_network(&namespaces, &step)
        guard code == 0 else {
            throw Failure(step: step, error: SystemError(code: code, call: Self.name(ofStep: step)))
        }
        self.namespaces = namespaces
        socket = Locked(namespaces.socket)
    }

    deinit {
        for number in [namespaces.network, namespaces.user] where number >= 0 { closeDescriptor(number) }
        if let number = socket.withLock({ $0 }) { closeDescriptor(number) }
    }

    private static func name(ofStep step: Int32) -> String {
        switch Int(step) {
        case shim_seal_namespace: "create a network namespace"
        case shim_seal_user: "map the user in a user namespace"
        case shim_seal_loopback: "enable the loopback interface of a network namespace"
        default: "start a process"
        }
    }

    /// Starts to listen in the network. Call it only once.
    ///
    /// - Parameters:
    ///   - host: A numeric IPv4 address.
    ///   - port: The port, or 0 for any free port.
    package func listen(host: String, port: Int) throws(SystemError) -> ListeningSocket {
        guard let number = socket.withLock({ $0.take() }) else { preconditionFailure("the network has one socket") }
        return try ListeningSocket(owning: number, host: host, port: port)
    }

    /// As `shim_spawn`, in the network.
    func spawn(
        _ identifier: inout Int32,
        _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
        var namespaces = namespaces
        return unsafe shim_spawn_sealed(&identifier, arguments, environment, &namespaces)
    }
}
