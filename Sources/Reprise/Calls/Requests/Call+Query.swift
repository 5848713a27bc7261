// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Adds a parameter to the query. A nil value is left out.
    ///
    /// Existing parameters of the same name are kept: a second value becomes a second parameter, as in `tag=a&tag=b`.
    /// Everything except letters, digits, and `-._~` is escaped, so a plus sign becomes `%2B` and a space `%20`.
    /// Dates are written in the client's ``ParameterStyle/dates``.
    public consuming func query(_ name: String, _ value: (any ParameterValue)?) -> Call {
        guard let value else { return self }
        do {
            let pair = try "\(URLPart.value.escape(name))=\(URLPart.value.escape(text(of: value)))"
            query += query.isEmpty ? pair : "&\(pair)"
            return self
        } catch {
            return failing(parameter: name, error)
        }
    }

    /// Adds one parameter for each value, all with the same name. Elements that are nil are left out.
    public consuming func query<Value: ParameterValue>(_ name: String, _ values: [Value?]?) -> Call {
        (values ?? []).reduce(self) { call, value in call.query(name, value) }
    }

    /// Adds parameters to the query, in order. Parameters with a nil value are left out.
    ///
    /// ```swift
    /// api.get("/posts").query(["page": 2, "tag": "a", "tag": "b", "before": cursor])
    /// ```
    public consuming func query(_ parameters: KeyValuePairs<String, (any ParameterValue)?>) -> Call {
        parameters.reduce(self) { call, parameter in call.query(parameter.key, parameter.value) }
    }

    /// Returns the text of a parameter, with dates in the client's style.
    func text(of value: any ParameterValue) throws -> String {
        guard let scalar = value as? any ParameterScalar else { return try value.parameterText }
        return try scalar.text(client.shared.configuration.parameterStyle)
    }

    /// Returns the call with the problem of a parameter, unless it already has a problem.
    consuming func failing(parameter name: String, _ error: any Error) -> Call {
        failing(ClientError(parameter: name, error))
    }
}
