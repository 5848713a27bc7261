// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Limits how long the response may take, with its body unless it is a stream; nil for no limit.
    public consuming func timeout(_ limit: Duration?) -> Call {
        timeout = .some(limit)
        return self
    }

    /// Limits how long finding the host, connecting and securing the connection may take together; nil for the
    /// transport's own limit.
    public consuming func connectTimeout(_ limit: Duration?) -> Call {
        connectTimeout = .some(limit)
        return self
    }

    /// Says what is done about redirections.
    public consuming func redirects(_ redirects: RequestOptions.Redirects) -> Call {
        self.redirects = redirects
        return self
    }

    /// Says what the response must be, after what the client and the endpoint say.
    public consuming func validate(_ validation: Validation) -> Call {
        self.validation.append(validation)
        return self
    }

    /// Looks at the response before a value is made of it; what `check` throws is thrown. See ``Validation``.
    public consuming func validate(_ check: @escaping @Sendable (BufferedResponse) throws -> Void) -> Call {
        validate(.response(check))
    }

    /// Puts an interceptor inside those that are there already.
    public consuming func intercept(_ interceptor: some Interceptor) -> Call {
        interceptors.append(interceptor)
        return self
    }

    /// Puts a closure inside the interceptors that are there already. See ``Interceptor``.
    public consuming func intercept(
        _ body: @escaping @Sendable (Request, Next) async throws -> Response
    ) -> Call {
        intercept(Intercept(body))
    }

    /// Sends this call with another transport than the client's.
    public consuming func transport(_ transport: some Transport) -> Call {
        self.transport = transport
        return self
    }

    /// Makes values with another decoder than the client's.
    public consuming func decoder(_ decoder: some ResponseDecoder) -> Call {
        self.decoder = decoder
        return self
    }
}
