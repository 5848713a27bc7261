// SPDX-License-Identifier: Apache-2.0

/// Something open on a loop, kept alive by it until it is closed.
protocol LoopResource: AnyObject {
    /// Its place in the loop's list.
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
