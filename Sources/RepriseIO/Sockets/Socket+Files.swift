// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

extension Socket {
    /// Sends a part of a file, at most 64 KiB at a time, without loading it all into memory.
    ///
    /// - Returns: The number of bytes taken. If it is less than `count`, because the system has no room or because
    ///   other work on the loop has to take its turn, send the rest after ``SocketHandler/socketIsWritable(_:)``.
    /// - Throws: ``SystemError`` if the connection is broken, the file cannot be read, or it ends before `count`
    ///   bytes (``SystemError/isEndOfFile``).
    public func send(file: ReadOnlyFile, offset: Int, count: Int) throws(SystemError) -> Int {
        precondition(offset >= 0 && count >= 0, "offset and count must not be negative")
        guard try isReadyToSend(), count > 0 else { return 0 }
        let wanted = min(count, EventLoop.bufferSize)
        let taken: Int
        if let tls {
            taken = try send(file, offset, wanted, through: tls)
            if taken < count { try awaitRoom(tls) }
            return taken
        }
        #if os(Linux) || os(Android)
            do throws(SystemError) {
                taken = try sendInKernel(file, offset, wanted)
            } catch  where error.code == EINVAL || error.code == ENOSYS {
                // Not every file system supports sendfile.
                taken = try sendThroughBuffer(file, offset, wanted)
            }
        #else
            taken = try sendThroughBuffer(file, offset, wanted)
        #endif
        if taken < count { try awaitRoom() }
        return taken
    }

    #if os(Linux) || os(Android)
        private func sendInKernel(_ file: ReadOnlyFile, _ offset: Int, _ count: Int) throws(SystemError) -> Int {
            var isAtEnd = false
            let taken = try sent(of: count) {
                var position = off_t(offset)
                let taken = unsafe sendfile(descriptor, file.descriptor, &position, count)
                isAtEnd = taken == 0
                return taken
            }
            if isAtEnd { throw SystemError.endOfFile("send") }
            return taken
        }
    #endif

    private func sendThroughBuffer(_ file: ReadOnlyFile, _ offset: Int, _ count: Int) throws(SystemError) -> Int {
        let bytes = try unsafe read(file, offset, count)
        return try sent(of: bytes.count) { unsafe shim_send(descriptor, bytes.baseAddress, bytes.count) }
    }

    private func send(
        _ file: ReadOnlyFile,
        _ offset: Int,
        _ count: Int,
        through tls: TLSStream
    ) throws(SystemError) -> Int {
        try tls.requireWriting()
        guard tls.isWritable else { return 0 }
        return unsafe try send(read(file, offset, count), through: tls)
    }

    private func read(_ file: ReadOnlyFile, _ offset: Int, _ count: Int) throws(SystemError) -> UnsafeRawBufferPointer {
        let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: loop.fileBuffer[..<count])
        let available = unsafe try file.read(at: offset, into: buffer)
        if available == 0 { throw SystemError.endOfFile("send") }
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<available])
    }
}
