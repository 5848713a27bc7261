// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Where parameters go.
    public enum ParameterPlacement: Sendable, Hashable {
        /// Into the query with GET, HEAD, DELETE and TRACE; else into the body, as a form.
        case automatic
        /// Into the query.
        case query
        /// Into the body, as a form: `application/x-www-form-urlencoded`, or the fields of ``Call/multipart(_:)``.
        case form
        /// Into the body, as a JSON object.
        case json
    }

    /// Adds parameters, which go where the method has them; those of nil are left out.
    ///
    /// ```swift
    /// let found = api.get("/posts").parameters(["page": 2, "tag": "swift"])  // ?page=2&tag=swift
    /// let added = api.post("/posts").parameters(["title": "Atlas"])  // title=Atlas
    /// let changed = api.put("/posts/1").parameters(["title": "Atlas"], as: .json)  // {"title":"Atlas"}
    /// ```
    ///
    /// More of them may be added: they all go into the same query or body. JSON has numbers and truth values as such;
    /// a name that is there twice fails it. With ``multipart(_:)``, before or after, what would be a form is fields.
    ///
    /// - Parameters:
    ///   - parameters: names and values, in order.
    ///   - placement: where they go.
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
            try call.add(.dictionary(entries), as: placement, style: ParameterStyle())
            return call
        } catch {
            return call.failing(error)
        }
    }

    /// Adds the properties of a value as parameters, which go where the method has them; nil is left out.
    ///
    /// A value that is not encoded as an object fails the call, and so does one whose `encode(to:)` throws; nothing is
    /// sent then.
    ///
    /// - Parameters:
    ///   - value: what has the parameters. It is encoded here and now.
    ///   - placement: where they go.
    ///   - style: how they are spelled; nil for the client's. JSON has its keys, and the client's encoder does the rest.
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

    /// Adds the properties of a value to the query, in order; nil is left out.
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
    /// A value that is not encoded as an object fails the call.
    ///
    /// - Parameters:
    ///   - value: what has the parameters. It is encoded here and now.
    ///   - style: how they are spelled; nil for the client's.
    @_disfavoredOverload
    public consuming func query(_ value: some Encodable, style: ParameterStyle? = nil) -> Call {
        parameters(value, as: .query, style: style)
    }

    /// Sends the properties of a value as a form, in order; nil is left out. See ``form(_:)``.
    ///
    /// A value that is not encoded as an object fails the call.
    ///
    /// - Parameters:
    ///   - value: what has the parameters. It is encoded here and now.
    ///   - style: how they are spelled; nil for the client's.
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

    /// Adds the entries of a node to the query or to the body.
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

    /// Whether the method is one whose content means nothing (RFC 9110 section 9.3).
    private var hasParametersInQuery: Bool {
        switch method {
        case .get, .head, .delete, .trace: true
        default: false
        }
    }

    /// Makes the body of what it is made of now.
    mutating func compose(_ body: ComposedBody) throws {
        guard self.body == nil || composedBody != nil else { throw ClientError.twoBodies }
        composedBody = body
        self.body = try body.body(client.shared.configuration.encoder)
        bodyType = body.contentType
    }

    /// The same call with a problem; the first one counts.
    consuming func failing(_ error: any Error) -> Call {
        if problem == nil { problem = error }
        return self
    }
}

extension ClientError {
    /// A call can have one body.
    static let twoBodies = ClientError(.bodyConflict, "the call has two bodies: one of them has to go")

    /// Why a value makes no parameters.
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
