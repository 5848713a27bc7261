// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Reports how much of the request's content has been sent and how much of the response's content has been
    /// received.
    ///
    /// ```swift
    /// let call = api.put("/films/7").body(file: film).onProgress { progress in
    ///     if progress.direction == .upload { show(progress.fraction ?? 0) }
    /// }
    /// ```
    ///
    /// Progress is measured as the bodies are read, so it works with any transport, and with streams. Content that is
    /// sent again after a retry or redirect starts at 0 in a new ``TransferProgress/round``. A complete transfer ends
    /// with a ``TransferProgress/fraction`` of 1, even if it was empty. A request without a body has no upload. Bytes
    /// count as sent when the transport asks for the next ones. The last bytes also count as sent when the response
    /// arrives. ``URLSessionTransport`` instead reports the number of bytes that the system has sent.
    ///
    /// - Parameter report: A closure that receives each step, in order for each direction. It can be called on any
    ///   thread, and the transfer waits until it returns.
    public consuming func onProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> Call {
        progressMeters.append(ProgressMeter(report))
        return self
    }

    /// Reports how much of the request's content has been sent. See ``onProgress(_:)``.
    ///
    /// ```swift
    /// let call = api.put("/films/7").body(file: film).onUploadProgress { show($0.fraction ?? 0) }
    /// ```
    public consuming func onUploadProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> Call {
        onProgress { progress in if progress.direction == .upload { report(progress) } }
    }

    /// Reports how much of the response's content has been received. See ``onProgress(_:)``.
    public consuming func onDownloadProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> Call {
        onProgress { progress in if progress.direction == .download { report(progress) } }
    }

    var meteredTransport: any Transport {
        progressMeters.reduce(resolvedTransport) { base, meter in ProgressTransport(base: base, meter: meter) }
    }
}
