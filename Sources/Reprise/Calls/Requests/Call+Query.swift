// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Adds a parameter to the query; nil is left out.
    ///
    /// Names are not replaced: a second value of the same name is a second parameter, `tag=a&tag=b`. All but letters,
    /// digits and `-._~` is escaped, so a plus sign is `%2B` and a space `%20`.
    public consuming func query(_ name: String, _ value: (any ParameterValue)?) -> Call {
        guard let value else { return self }
        do {
            let pair = try "\(URLPart.value.escape(name))=\(URLPart.value.escape(value.parameterText))"
            query += query.isEmpty ? pair : "&\(pair)"
            return self
        } catch {
            return failing(parameter: name, error)
        }
    }

    /// Adds one parameter for each value, all of the same name.
    public consuming func query<Value: ParameterValue>(_ name: String, _ values: [Value]) -> Call {
        values.reduce(self) { call, value in call.query(name, value) }
    }

    /// Adds parameters to the query, in order; those of nil are left out.
    ///
    /// ```swift
    /// api.get("/posts").query(["page": 2, "tag": "a", "tag": "b", "before": cursor])
    /// ```
    public consuming func query(_ parameters: KeyValuePairs<String, (any ParameterValue)?>) -> Call {
        parameters.reduce(self) { call, parameter in call.query(parameter.key, parameter.value) }
    }

    /// The same call with the problem of a parameter.
    consuming func failing(parameter name: String, _ error: any Error) -> Call {
        failing(ClientError(parameter: name, error))
    }
}
