// SPDX-License-Identifier: Apache-2.0

import CEpoll
import Glibc

/// Opens many connections on one thread, requests one stream on each, and records when each chunk arrives.
struct LoadClient {
    let options: Options
    var report = LoadReport()
    private var streams: [Stream] = []
    private var epoll: Int32 = -1
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var open = 0

    private struct Stream {
        var descriptor: Int32
        var reader = StreamReader()
    }

    init(_ options: Options) {
        self.options = options
    }

    /// Connects, reads all streams, and completes the report. Throws an error with a message if a system call fails.
    mutating func run() throws(LoadError) {
        epoll = epoll_create1(0)
        let connecting = Self.now()
        try connect()
        report.connectSeconds = Double(Self.now() - connecting) / 1e9
        let cpu = Self.cpuSeconds()
        let start = Self.now()
        try stream(from: start)
        report.seconds = Double(Self.now() - start) / 1e9
        report.cpuShare = (Self.cpuSeconds() - cpu) / report.seconds
    }

    // MARK: Connecting

    /// Connects one descriptor after the other and blocks: the kernel accepts as long as the server's queue has room,
    /// so the server's speed determines the ramp.
    private mutating func connect() throws(LoadError) {
        Self.raiseDescriptorLimit()
        for index in 0..<options.connections {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw LoadError("socket \(index): \(Self.lastError)") }
            try connect(descriptor, index: index)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
            streams.append(Stream(descriptor: descriptor))
        }
    }

    private func connect(_ descriptor: Int32, index: Int) throws(LoadError) {
        Self.set(descriptor, SOL_SOCKET, SO_TIMESTAMPNS)
        Self.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        // A source address has about 28,000 ports for one destination, but the loopback network has many addresses.
        if options.connections > 20_000, options.host.0 == 127 {
            Self.set(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT)
            let source = Self.address((127, 0, 0, UInt8(2 + index / 20_000)), port: 0)
            _ = Self.with(source) { bind(descriptor, $0, $1) }
        }
        let target = Self.address(options.host, port: options.port)
        guard Self.with(target, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw LoadError("connect \(index): \(Self.lastError)")
        }
    }

    // MARK: Streaming

    private mutating func stream(from start: Int64) throws(LoadError) {
        let request = Array("GET \(options.path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".utf8)
        let step = Int64(options.spreadMilliseconds * 1e6) / Int64(options.connections)
        let deadline = start + Int64(options.timeoutSeconds * 1e9)
        var events = [epoll_event](repeating: epoll_event(), count: 1024)
        var next = 0
        while next < streams.count || open > 0 {
            var now = Self.now()
            while next < streams.count, start + Int64(next) * step <= now {
                try sendRequest(next, request)
                next += 1
                // Stop regularly, so that data that has arrived doesn't wait for the whole ramp.
                if next % 32 == 0 { break }
            }
            now = Self.now()
            guard now < deadline else { return }
            let isBehind = next < streams.count && start + Int64(next) * step <= now
            let count = epoll_wait(epoll, &events, Int32(events.count), isBehind ? 0 : (next < streams.count ? 1 : 100))
            let woke = Self.wallClock()
            for event in events[..<Int(max(count, 0))] { receive(Int(event.data.u64), woke: woke) }
        }
    }

    private mutating func sendRequest(_ index: Int, _ request: [UInt8]) throws(LoadError) {
        guard send(streams[index].descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw LoadError("send \(index): \(Self.lastError)") }
        open += 1
        report.mostConcurrent = max(report.mostConcurrent, open)
    }

    private mutating func receive(_ index: Int, woke: Int64) {
        while true {
            let (count, stamp) = read(streams[index].descriptor)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return finish(index) }
            note(index, count, at: options.usesKernelTime ? stamp ?? woke : woke)
            if stamp == nil { report.wakeUpTimes += 1 }
            switch streams[index].reader.state {
            case .finished, .failed: return finish(index)
            default: if count < buffer.count { return }
            }
        }
    }

    private mutating func note(_ index: Int, _ count: Int, at time: Int64) {
        buffer.withUnsafeBufferPointer { bytes in
            streams[index].reader.read(UnsafeBufferPointer(rebasing: bytes[..<count]), at: time) {
                report.note(chunk: $0, size: $1, elapsed: $2, options)
            }
        }
    }

    private mutating func finish(_ index: Int) {
        let stream = streams[index]
        if stream.reader.state == .finished, stream.reader.chunks == options.chunks { report.completed += 1 }
        close(stream.descriptor)
        open -= 1
    }
}

struct LoadError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
