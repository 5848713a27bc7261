// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Limits the time for the whole attempt, from sending the request to the last byte of the response. If nil, there
    /// is no limit.
    ///
    /// The time between two chunks is not limited, unlike with the timeout of a `URLRequest`; see ``idleTimeout(_:)``.
    /// For a stream or a download, the limit applies until the head of the response is received. A limit that is set
    /// here applies to uploads too, unlike the default of ``Client/Configuration/timeout``.
    public consuming func timeout(_ limit: Duration?) -> Call {
        timeout = .some(limit)
        return self
    }

    /// Limits the time without data while the body of a request is sent, until the head of its response is received,
    /// and while the body of a response is received. If nil, the time without data has no limit of its own.
    ///
    /// Use it for streams and downloads, which have no limit on the total time, and for uploads. If no data is sent or
    /// received for this long, the call or reading the body throws ``ClientError/Code/timeout``, and a stream of events
    /// that reconnects does so. Time that your program takes between two reads does not count.
    ///
    /// If nil, the default ``Client/Configuration/timeout`` limits the total time of an upload, as it does for other
    /// calls.
    public consuming func idleTimeout(_ limit: Duration?) -> Call {
        idleTimeout = .some(limit)
        return self
    }

    /// Limits the total time for resolving the host, connecting, and securing the connection. If nil, the transport's
    /// own limit applies.
    public consuming func connectTimeout(_ limit: Duration?) -> Call {
        connectTimeout = .some(limit)
        return self
    }

    /// Sets how redirects are handled.
    public consuming func redirects(_ redirects: RequestOptions.Redirects) -> Call {
        self.redirects = redirects
        return self
    }

    /// Adds a requirement for the response, checked after those of the client and the endpoint.
    public consuming func validate(_ validation: Validation) -> Call {
        self.validation.append(validation)
        return self
    }

    /// Requires one of these statuses, such as `200..<400`, instead of those that were required until now.
    public consuming func validate(_ statusCodes: Range<Int>) -> Call { validate(.statusCodes(statusCodes)) }

    /// Requires one of these statuses, such as `200...299`, instead of those that were required until now.
    public consuming func validate(_ statusCodes: ClosedRange<Int>) -> Call { validate(.statusCodes(statusCodes)) }

    /// Checks the response before its value is created. An error from `check` is thrown by the call. See
    /// ``Validation``.
    public consuming func validate(_ check: @escaping @Sendable (BufferedResponse) throws -> Void) -> Call {
        validate(.response(check))
    }

    /// Adds an interceptor that runs inside the existing ones.
    public consuming func intercept(_ interceptor: some Interceptor) -> Call {
        interceptors.append(interceptor)
        return self
    }

    /// Adds a closure as an interceptor that runs inside the existing ones. See ``Interceptor``.
    public consuming func intercept(
        _ body: @escaping @Sendable (Request, Next) async throws -> Response
    ) -> Call {
        intercept(ClosureInterceptor(body))
    }

    /// Sends this call with a different transport than the client's.
    public consuming func transport(_ transport: some Transport) -> Call {
        self.transport = transport
        return self
    }

    /// Decodes values with a different decoder than the client's.
    public consuming func decoder(_ decoder: some ResponseDecoder) -> Call {
        self.decoder = decoder
        return self
    }
}
