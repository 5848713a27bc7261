// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Says how far the request's content has gone out and the response's has come in.
    ///
    /// ```swift
    /// let call = api.put("/films/7").body(file: film).onProgress { progress in
    ///     if progress.direction == .upload { show(progress.fraction ?? 0) }
    /// }
    /// ```
    ///
    /// It is the bodies that are counted, so that it works with any transport, and with streams. Content that is sent
    /// again, by a retry or a redirection, starts at 0 in another ``TransferProgress/round``. What is complete ends with
    /// a ``TransferProgress/fraction`` of 1, also if it was empty; a request without a body has no upload. Bytes count as
    /// gone out when the transport asks for the next ones, the last ones also when the response is there; ``URLSessionTransport`` says itself how many it has sent.
    ///
    /// - Parameter report: told of each step, in order for each direction, wherever the content is transferred: it holds
    ///   that up until it returns.
    public consuming func onProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> Call {
        progressMeters.append(ProgressMeter(report))
        return self
    }

    /// What the call is sent with: the transport, and around it what counts.
    var meteredTransport: any Transport {
        progressMeters.reduce(resolvedTransport) { base, meter in ProgressTransport(base: base, meter: meter) }
    }
}
