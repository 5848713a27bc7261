// SPDX-License-Identifier: Apache-2.0

import Glibc

extension LoadClient {
    /// Reads into `buffer`. The time is when the kernel received the last byte read; nil if the kernel doesn't report
    /// it.
    mutating func read(_ descriptor: Int32) -> (count: Int, time: Int64?) {
        var control: (cmsghdr, timespec, Int64, Int64) = (cmsghdr(), timespec(), 0, 0)
        return buffer.withUnsafeMutableBytes { bytes in
            var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return withUnsafeMutablePointer(to: &vector) { vector in
                withUnsafeMutableBytes(of: &control) { space in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    message.msg_control = space.baseAddress
                    message.msg_controllen = space.count
                    let count = recvmsg(descriptor, &message, 0)
                    let header = space.load(as: cmsghdr.self)
                    guard count > 0, message.msg_controllen > 0, header.cmsg_level == SOL_SOCKET,
                        header.cmsg_type == SO_TIMESTAMPNS
                    else { return (count, nil) }
                    let stamp = space.load(fromByteOffset: MemoryLayout<cmsghdr>.stride, as: timespec.self)
                    return (count, Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
                }
            }
        }
    }

    static func now() -> Int64 { time(CLOCK_MONOTONIC) }

    /// The time of the clock that the kernel uses for its timestamps, in nanoseconds.
    static func wallClock() -> Int64 { time(CLOCK_REALTIME) }

    private static func time(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The user and system time of this process, in seconds.
    static func cpuSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    static var lastError: String { String(cString: strerror(errno)) }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func address(_ host: (UInt8, UInt8, UInt8, UInt8), port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.storeBytes(of: host, as: (UInt8, UInt8, UInt8, UInt8).self) }
        return address
    }

    static func with(_ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Raises the limit on open descriptors to the maximum that the system allows.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
