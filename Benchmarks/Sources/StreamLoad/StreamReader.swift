// SPDX-License-Identifier: Apache-2.0

/// Parses one response in chunked coding, byte by byte, to find where chunks end and whether the message is complete.
///
/// It deliberately doesn't use the package's parser: a tool that measures the server must not share the server's
/// mistakes.
struct StreamReader {
    enum State: UInt8 {
        case head, size, sizeEnd, data, dataEnd, end, finished, failed
    }

    private(set) var state = State.head
    /// The time when the head was complete, in nanoseconds.
    private var headTime: Int64 = 0
    /// The number of complete chunks.
    private(set) var chunks = 0
    private var size = 0
    private var remaining = 0
    private var position = 0
    private var matched = 0

    /// Reads bytes that arrived at `time`. Calls `chunk` for each chunk that is now complete, with its index, its size,
    /// and the time since the head in nanoseconds.
    mutating func read(
        _ input: UnsafeBufferPointer<UInt8>,
        at time: Int64,
        chunk: (_ index: Int, _ size: Int, _ elapsed: Int64) -> Void
    ) {
        var index = 0
        while index < input.count {
            if state == .data {
                let step = min(remaining, input.count - index)
                remaining -= step
                index += step
                if remaining == 0 { state = .dataEnd }
                continue
            }
            let byte = input[index]
            index += 1
            switch state {
            case .head: readHead(byte, at: time)
            case .size: readSize(byte)
            case .sizeEnd: state = byte == 0x0A ? .data : .failed
            case .dataEnd where byte == 0x0A:
                chunk(chunks, size, time - headTime)
                chunks += 1
                size = 0
                state = .size
            case .dataEnd: if byte != 0x0D { state = .failed }
            case .end: readEnd(byte)
            case .data, .finished, .failed: state = .failed
            }
        }
    }

    /// Finds the empty line. The first digit of the status, which is the tenth byte, distinguishes success from
    /// failure.
    private mutating func readHead(_ byte: UInt8, at time: Int64) {
        if position == 9, byte != 0x32 { state = .failed }
        position += 1
        switch (matched, byte) {
        case (0, 0x0D), (2, 0x0D), (1, 0x0A): matched += 1
        case (3, 0x0A):
            headTime = time
            matched = 0
            state = .size
        default: matched = 0
        }
    }

    private mutating func readSize(_ byte: UInt8) {
        switch byte {
        case 0x30...0x39: size = (size & 0xFF_FFFF) * 16 + Int(byte) - 0x30
        case 0x41...0x46: size = (size & 0xFF_FFFF) * 16 + Int(byte) - 0x37
        case 0x61...0x66: size = (size & 0xFF_FFFF) * 16 + Int(byte) - 0x57
        case 0x0D:
            remaining = size
            state = size == 0 ? .end : .sizeEnd
        default: state = .failed
        }
    }

    /// Reads what follows the `0` and CR of the last chunk if there are no trailers: LF CR LF.
    private mutating func readEnd(_ byte: UInt8) {
        let expected: UInt8 = matched == 1 ? 0x0D : 0x0A
        matched += 1
        if byte != expected { state = .failed } else if matched == 3 { state = .finished }
    }
}
