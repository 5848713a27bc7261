// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension TemplateRenderer {
    /// Returns what a path leads to; null if it leads nowhere.
    ///
    /// As in Handlebars.java, a name that a scope lacks is looked up in the enclosing ones.
    func value(at path: TemplatePath) -> TemplateValue {
        let level = scopes.count - 1 - path.parents
        guard level >= 0 else { return .null }
        switch path.head {
        case .root: return walk(path.segments[...], from: scopes[0].value)
        case .this: return scopes[level].value
        case .local:
            let value = walk(path.segments[...], from: scopes[level].value)
            return value.isNull ? blockParameter(path.segments, in: scopes[level]) : value
        case .data(let name): return walk(path.segments[...], from: data(name, level))
        case .name: return lookUp(path.segments, from: level)
        }
    }

    private func lookUp(_ segments: [String], from level: Int) -> TemplateValue {
        for level in stride(from: level, through: 0, by: -1) {
            if !scopes[level].names.isEmpty {
                let value = blockParameter(segments, in: scopes[level])
                if !value.isNull { return value }
            }
            let value = walk(segments[...], from: scopes[level].value)
            if !value.isNull { return value }
            if !variables.isEmpty, let variable = variables[segments[0]] {
                let value = walk(segments[1...], from: variable)
                if !value.isNull { return value }
            }
        }
        return .null
    }

    private func blockParameter(_ segments: [String], in scope: Scope) -> TemplateValue {
        guard let place = scope.names.firstIndex(of: segments[0]), place < scope.values.count else { return .null }
        return walk(segments[1...], from: scope.values[place])
    }

    /// Returns what the innermost loop, or a helper, stored.
    private func data(_ name: String, _ level: Int) -> TemplateValue {
        for level in stride(from: level, through: 0, by: -1) {
            guard let iteration = scopes[level].iteration else { continue }
            switch name {
            case "index": return .integer(iteration.index)
            case "index_1": return .integer(iteration.index + 1)
            case "key": return iteration.key
            case "first": return .string(iteration.index == 0 ? "first" : "")
            case "last": return .string(iteration.isLast ? "last" : "")
            case "odd": return .string(iteration.isInList && iteration.index % 2 == 1 ? "odd" : "")
            case "even": return .string(iteration.isInList && iteration.index % 2 == 0 ? "even" : "")
            default: break
            }
            break
        }
        return variables[name] ?? .null
    }

    private func walk(_ segments: ArraySlice<String>, from value: TemplateValue) -> TemplateValue {
        var value = value
        for segment in segments {
            value = property(segment, of: value)
            if value.isNull { return .null }
        }
        return value
    }

    /// Returns a member, an element, or a property.
    func property(_ name: String, of value: TemplateValue) -> TemplateValue {
        switch value {
        case .model(let part): return property(name, of: part)
        case .map(let entries):
            spend(entries.count)
            return entries.first { $0.name == name }?.value ?? .null
        case .json(.object(let members), let style):
            spend(members.count)
            return members.first { $0.name == name }.map { TemplateValue($0.value, style.inside) } ?? .null
        case .json(.array(let elements), let style):
            return element(name, count: elements.count) { TemplateValue(elements[$0], style.inside) }
        case .array(let elements): return element(name, count: elements.count) { elements[$0] }
        case .values(let values):
            return element(name, count: values.count, acceptsNegative: true) { .string(values[$0]) }
        case .path(_, let segments, let parameters):
            if let parameter = parameters.first(where: { $0.name == name }) { return parameter.value }
            return element(name, count: segments.count) { .string(segments[$0]) }
        case .string(let text):
            if name == "length" { return .integer(text.utf16.count) }
            return name == "empty" ? .bool(text.isEmpty) : .null
        case .xml(let nodes):
            let property = nodes.first?.property(name) ?? .null
            return property.isNull
                ? element(name, count: nodes.count, acceptsNegative: true) { .xml([nodes[$0]]) } : property
        default: return .null
        }
    }

    /// - Parameter acceptsNegative: Whether a negative place counts from the last element. As in WireMock, -1 is the one
    ///   before the last.
    private func element(
        _ name: String,
        count: Int,
        acceptsNegative: Bool = false,
        _ element: (Int) -> TemplateValue
    ) -> TemplateValue {
        if let number = Int(name) {
            let index = number < 0 && acceptsNegative ? count - 1 + number : number
            return index >= 0 && index < count ? element(index) : .null
        }
        switch name {
        case "size", "length": return .integer(count)
        case "empty": return .bool(count == 0)
        case "first": return count > 0 ? element(0) : .null
        case "last": return count > 0 ? element(count - 1) : .null
        default: return .null
        }
    }

    func model(_ isOriginal: Bool) -> RequestModel { isOriginal ? originalRequest ?? request : request }

    private func property(_ name: String, of part: TemplateValue.ModelPart) -> TemplateValue {
        switch part {
        case .root:
            switch name {
            case "request": return originalRequest == nil ? .model(.request(isOriginal: false)) : .null
            case "originalRequest": return originalRequest == nil ? .null : .model(.request(isOriginal: true))
            case "parameters": return .json(context.parameters, .plain)
            default: return .null
            }
        case .request(let isOriginal): return model(isOriginal).property(name)
        case .requestLine(let isOriginal): return model(isOriginal).lineProperty(name)
        case .headers(let isOriginal): return model(isOriginal).header(name)
        case .query, .cookies, .parts:
            let entries = entries(of: part)
            if let entry = entries.first(where: { $0.name == name }) { return entry.value }
            return name == "size" ? .integer(entries.count) : .null
        case .part(let index, let isOriginal):
            let part = model(isOriginal).parts[index]
            switch name {
            case "name": return .string(part.name)
            case "body": return .string(String(decoding: part.body, as: UTF8.self))
            case "bodyAsBase64": return .string(Base64.text(part.body))
            case "headers": return .map(RequestModel.headers(part.headers))
            default: return .null
            }
        }
    }

    /// The members of a part of the model that is a map.
    func entries(of part: TemplateValue.ModelPart) -> [TemplateValue.Entry] {
        switch part {
        case .query(let isOriginal): return model(isOriginal).query
        case .headers(let isOriginal): return model(isOriginal).headers
        case .cookies(let isOriginal): return model(isOriginal).cookies
        case .parts(let isOriginal):
            return model(isOriginal).parts.enumerated().map {
                TemplateValue.Entry($0.element.name, .model(.part($0.offset, isOriginal: isOriginal)))
            }
        case .root:
            let isWebhook = originalRequest != nil
            return [
                TemplateValue.Entry("parameters", .json(context.parameters, .plain)),
                TemplateValue.Entry(isWebhook ? "originalRequest" : "request", .model(.request(isOriginal: isWebhook))),
            ]
        case .request, .requestLine, .part: return []
        }
    }

    /// The members, if the value is a map.
    func members(of value: TemplateValue) -> [TemplateValue.Entry]? {
        switch value {
        case .map(let entries): entries
        case .json(.object(let members), let style):
            members.map { TemplateValue.Entry($0.name, TemplateValue($0.value, style.inside)) }
        case .model(.request), .model(.requestLine), .model(.part): nil
        case .model(let part): entries(of: part)
        default: nil
        }
    }
}
