// SPDX-License-Identifier: Apache-2.0

/// The request, the number of connections, and the expected schedule of the response.
struct Options {
    var host: (UInt8, UInt8, UInt8, UInt8) = (127, 0, 0, 1)
    var port: UInt16 = 0
    var path = "/"
    var connections = 100
    var chunks = 16
    var bytes = 512
    var intervalMilliseconds = 250.0
    var spreadMilliseconds = 1000.0
    var timeoutSeconds = 60.0
    var usesKernelTime = true
    var printsRow = false

    static let usage = """
        usage: StreamLoad --port N [--host 127.0.0.1] [--path /stream] [--connections 100]
                          [--chunks 16] [--bytes 512] [--interval-ms 250] [--spread-ms 1000]
                          [--timeout 60] [--wakeup-time] [--row]

        Opens the connections, then sends one GET on each, evenly over --spread-ms. Each answer must be --chunks
        chunks of --bytes each in chunked coding, the k-th due k intervals after the head (the first after one).
        A chunk's time is when the kernel received its last byte, or with --wakeup-time when this program woke.
        Exits with 1 unless every stream is complete.
        """

    /// Parses the arguments after the program's name; returns `nil` if they are invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--wakeup-time": usesKernelTime = false
            case "--row": printsRow = true
            default:
                guard let value = rest.popFirst(), set(name, value) else { return nil }
            }
        }
        guard port > 0, connections > 0, chunks > 0, bytes > 0, intervalMilliseconds >= 0 else { return nil }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--host": return assign(&host, Self.address(value))
        case "--port": return assign(&port, UInt16(value))
        case "--path": return assign(&path, value)
        case "--connections": return assign(&connections, Int(value))
        case "--chunks": return assign(&chunks, Int(value))
        case "--bytes": return assign(&bytes, Int(value))
        case "--interval-ms": return assign(&intervalMilliseconds, Double(value))
        case "--spread-ms": return assign(&spreadMilliseconds, Double(value))
        case "--timeout": return assign(&timeoutSeconds, Double(value))
        default: return false
        }
    }

    private func assign<Value>(_ target: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        target = value
        return true
    }

    private static func address(_ text: String) -> (UInt8, UInt8, UInt8, UInt8)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return parts.count == 4 ? (parts[0], parts[1], parts[2], parts[3]) : nil
    }
}
