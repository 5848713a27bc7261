// SPDX-License-Identifier: Apache-2.0

/// An open resource, such as a socket, that its loop keeps alive until it is closed.
protocol LoopResource: AnyObject {
    /// The resource's index in the loop's list.
    var slot: Int { get set }
    func close()
}

extension EventLoop {
    func add(_ resource: any LoopResource) {
        resource.slot = resources.count
        resources.append(resource)
    }

    func remove(_ resource: any LoopResource) {
        let last = resources.removeLast()
        if last !== resource {
            resources[resource.slot] = last
            last.slot = resource.slot
        }
    }

    func requireCurrent(_ call: String) throws(SystemError) {
        precondition(isCurrent, "\(call): not on the loop's thread")
        if hasEnded { throw SystemError.loopEnded(call) }
    }
}
