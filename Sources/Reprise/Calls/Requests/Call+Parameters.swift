// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Where parameters are placed.
    public enum ParameterPlacement: Sendable, Hashable {
        /// In the query for GET, HEAD, DELETE, and TRACE. In the body, as a form, for all other methods.
        case automatic
        /// In the query.
        case query
        /// In the body, as a form: `application/x-www-form-urlencoded`, or the fields of ``Call/multipart(_:)``.
        case form
        /// In the body, as a JSON object.
        case json
    }

    /// Adds parameters, by default where the method expects them. Parameters with a nil value are left out.
    ///
    /// ```swift
    /// let found = api.get("/posts").parameters(["page": 2, "tag": "swift"])  // ?page=2&tag=swift
    /// let added = api.post("/posts").parameters(["title": "Atlas"])  // title=Atlas
    /// let changed = api.put("/posts/1").parameters(["title": "Atlas"], as: .json)  // {"title":"Atlas"}
    /// ```
    ///
    /// If you call this method more than once, all parameters go into the same query or body. In JSON, numbers and
    /// Boolean values keep their types, and a duplicate name makes the call fail. If ``multipart(_:)`` is called
    /// before or after, form parameters become fields of that form.
    ///
    /// - Parameters:
    ///   - parameters: The names and values, in order.
    ///   - placement: Where to place the parameters. The default is ``ParameterPlacement/automatic``.
    public consuming func parameters(
        _ parameters: KeyValuePairs<String, (any ParameterValue)?>,
        as placement: ParameterPlacement = .automatic
    ) -> Call {
        var call = self
        var entries: [(key: String, value: ParameterNode)] = []
        for (name, value) in parameters {
            guard let value else { continue }
            do {
                entries.append((name, try ParameterNode(value)))
            } catch {
                return call.failing(parameter: name, error)
            }
        }
        do {
            try call.add(.dictionary(entries), as: placement, style: call.spelling(nil))
            return call
        } catch {
            return call.failing(error)
        }
    }

    /// Adds the properties of a value as parameters, by default where the method expects them. Properties that are
    /// nil are left out.
    ///
    /// If the value is not encoded as an object or its `encode(to:)` throws, the call fails and nothing is sent.
    ///
    /// - Parameters:
    ///   - value: The value with the parameters. It is encoded immediately.
    ///   - placement: Where to place the parameters. The default is ``ParameterPlacement/automatic``.
    ///   - style: How the parameters are written, or nil for the client's style. For JSON, only its key spelling
    ///     applies, and the client's encoder does the rest.
    @_disfavoredOverload
    public consuming func parameters(
        _ value: some Encodable,
        as placement: ParameterPlacement = .automatic,
        style: ParameterStyle? = nil
    ) -> Call {
        var call = self
        do {
            try call.add(ParameterEncoder.encode(value), as: placement, style: call.spelling(style))
            return call
        } catch {
            return call.failing(ClientError(parametersOf: value, error))
        }
    }

    /// Adds the properties of a value to the query, in order. Properties that are nil are left out.
    ///
    /// ```swift
    /// struct Filter: Encodable {
    ///     var author: String
    ///     var tags: [String] = []
    ///     var before: Date?
    /// }
    /// ```
    ///
    /// ```swift
    /// api.get("/posts").query(Filter(author: "Ada", tags: ["a", "b"]))  // ?author=Ada&tags=a&tags=b
    /// ```
    ///
    /// If the value is not encoded as an object, the call fails.
    ///
    /// - Parameters:
    ///   - value: The value with the parameters. It is encoded immediately.
    ///   - style: How the parameters are written, or nil for the client's style.
    @_disfavoredOverload
    public consuming func query(_ value: some Encodable, style: ParameterStyle? = nil) -> Call {
        parameters(value, as: .query, style: style)
    }

    /// Sends the properties of a value as a form, in order. Properties that are nil are left out. See ``form(_:)``.
    ///
    /// If the value is not encoded as an object, the call fails.
    ///
    /// - Parameters:
    ///   - value: The value with the parameters. It is encoded immediately.
    ///   - style: How the parameters are written, or nil for the client's style.
    @_disfavoredOverload
    public consuming func form(_ value: some Encodable, style: ParameterStyle? = nil) -> Call {
        let call = self
        do {
            let pairs = try [ParameterPair](ParameterEncoder.encode(value), style: call.spelling(style))
            return call.body(Body(pairs.escaped(.form)), contentType: ComposedBody.form([]).contentType)
        } catch {
            return call.failing(ClientError(parametersOf: value, error))
        }
    }
}

extension Call {
    private func spelling(_ style: ParameterStyle?) -> ParameterStyle {
        style ?? client.shared.configuration.parameterStyle
    }

    /// Adds the entries of a node to the query or the body.
    private mutating func add(_ node: ParameterNode, as placement: ParameterPlacement, style: ParameterStyle) throws {
        switch placement {
        case .query: try add(query: node, style)
        case .automatic where hasParametersInQuery: try add(query: node, style)
        case .automatic, .form:
            let pairs = try [ParameterPair](node, style: style)
            switch composedBody {
            case nil: try compose(.form(pairs))
            case .form(let first): try compose(.form(first + pairs))
            case .multipart(let form): try compose(.multipart(form.adding(pairs)))
            case .json: throw ClientError.twoBodies
            }
        case .json:
            let node = node.spelled(style.keys)
            switch composedBody {
            case nil: try compose(.json(ParameterNode.fields([]).merging(node)))
            case .json(let first): try compose(.json(first.merging(node)))
            case .form, .multipart: throw ClientError.twoBodies
            }
        }
    }

    private mutating func add(query node: ParameterNode, _ style: ParameterStyle) throws {
        let more = try [ParameterPair](node, style: style).escaped(.value)
        query += query.isEmpty || more.isEmpty ? more : "&\(more)"
    }

    /// Whether content has no defined meaning for the method (RFC 9110 section 9.3).
    private var hasParametersInQuery: Bool {
        switch method {
        case .get, .head, .delete, .trace: true
        default: false
        }
    }

    /// Creates the body from its current elements.
    mutating func compose(_ body: ComposedBody) throws {
        guard self.body == nil || composedBody != nil else { throw ClientError.twoBodies }
        composedBody = body
        self.body = try body.body(client.shared.configuration.encoder)
        bodyType = body.contentType
    }

    /// Returns the call with a problem, unless it already has one.
    consuming func failing(_ error: any Error) -> Call {
        if problem == nil { problem = error }
        return self
    }
}

extension ClientError {
    static let twoBodies = ClientError(.bodyConflict, "the call has two bodies; remove one of them")

    fileprivate init(parametersOf value: some Encodable, _ error: any Error) {
        let ours = error as? ClientError
        let why = ours?.message ?? (error as? EncodingError)?.report ?? "\(error)"
        self.init(
            ours?.code ?? .invalidParameters,
            ours?.code == .bodyConflict ? why : "\(type(of: value)): \(why)",
            underlying: ours?.underlying ?? error
        )
    }
}
