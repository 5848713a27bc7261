// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
internal import RepriseText

/// Renders a template once.
final class TemplateRenderer {
    let context: TemplateContext
    let prepared: PreparedArguments
    private let source: Template
    let request: RequestModel
    private(set) lazy var originalRequest = context.originalRequest.map { RequestModel($0, isOriginal: true) }
    var scopes: [Scope] = [Scope(value: .model(.root))]
    /// What helpers such as `assign` have stored.
    var variables: [ExactText: TemplateValue] = [:]
    var random: TemplateRandom
    /// The text that was last parsed as JSON, and its tree.
    var parsedJSON: (text: String, tree: JSONTree?)?
    /// The regular expression that was compiled last; `nil` if it is invalid.
    var compiledPattern: (source: String, isWhole: Bool, pattern: FoundationPattern?)?
    let budget: WorkBudget

    /// What names mean.
    struct Scope {
        var value: TemplateValue
        /// The names of block parameters, and their values.
        var names: [String] = []
        var values: [TemplateValue] = []
        var iteration: Iteration?
    }

    /// A pass of `each`.
    struct Iteration {
        var key: TemplateValue
        var index: Int
        var isLast: Bool

        /// Whether the loop is over a list, not over a map.
        var isInList: Bool { if case .integer = key { true } else { false } }
    }

    init(_ template: Template, _ context: TemplateContext, _ budget: WorkBudget) {
        source = template
        self.context = context
        prepared = template.prepared
        request = RequestModel(context.request, isOriginal: false)
        random = TemplateRandom(seed: context.seed)
        self.budget = budget
    }

    /// Charges for work, so that every rendering ends.
    ///
    /// - Parameter units: The work in units of ``WorkBudget``, if it is not that of the usual step.
    func charge(_ steps: Int = 1, units: Int? = nil) throws(TemplateFailure) {
        if budget.take(steps, units: units), !budget.isSpent { return }
        throw TemplateFailure("expected at most \(context.limits.steps) steps; make the loops of the template smaller")
    }

    /// Counts work that takes time but no steps, in units of about 10 ns.
    func spend(_ units: Int) { budget.work(units) }

    func checkSize(_ bytes: Int) throws(TemplateFailure) {
        if bytes > context.limits.outputBytes {
            throw TemplateFailure(
                "expected at most \(context.limits.outputBytes) bytes of output; make the template produce less"
            )
        }
    }

    /// Renders nodes to the end of `output`.
    func render(_ nodes: [TemplateNode], to output: inout [UInt8]) throws(TemplateFailure) {
        for node in nodes {
            try charge()
            let start = output.count
            switch node {
            case .text(let bytes): output += bytes
            case .output(let expression, let escapes):
                let value = try value(of: expression)
                if escapes {
                    try writeEscaped(value, to: &output)
                } else {
                    try write(value, to: &output)
                }
            case .block(let call): try render(call, to: &output)
            case .section(let path, let block): try render(block, for: value(at: path), to: &output)
            }
            try checkSize(output.count)
            spend((output.count - start) / 4)
        }
    }

    private func render(_ call: TemplateCall, to output: inout [UInt8]) throws(TemplateFailure) {
        let value = try result(of: call, output: &output)
        try write(value, to: &output)
    }

    /// Renders a block whose name is not a helper's.
    private func render(
        _ block: TemplateBlock,
        for value: TemplateValue,
        to output: inout [UInt8]
    ) throws(TemplateFailure) {
        guard !value.isEmpty else { return try render(block.inverse, to: &output) }
        spend(value.units)
        if case .bool = value { return try render(block.content, to: &output) }
        guard let elements = value.elements else { return try render(block, in: Scope(value: value), to: &output) }
        for (index, element) in elements.enumerated() {
            let iteration = Iteration(key: .integer(index), index: index, isLast: index == elements.count - 1)
            try render(block, in: Scope(value: element, iteration: iteration), to: &output)
        }
    }

    /// Renders the content of a block in a scope of its own.
    func render(_ block: TemplateBlock, in scope: Scope, to output: inout [UInt8]) throws(TemplateFailure) {
        try charge()
        scopes.append(scope)
        defer { scopes.removeLast() }
        try render(block.content, to: &output)
    }

    func value(of expression: TemplateExpression) throws(TemplateFailure) -> TemplateValue {
        switch expression {
        case .literal(let value): return value
        case .path(let path): return value(at: path)
        case .call(let call):
            var output: [UInt8] = []
            return try result(of: call, output: &output)
        }
    }

    /// Calls a helper. The content of its block goes to the end of `output`.
    private func result(of call: TemplateCall, output: inout [UInt8]) throws(TemplateFailure) -> TemplateValue {
        try charge()
        var arguments: [TemplateValue] = []
        arguments.reserveCapacity(call.arguments.count)
        for argument in call.arguments { arguments.append(try value(of: argument)) }
        spend(arguments.isEmpty ? scopes[scopes.count - 1].value.units : arguments.reduce(0) { $0 + $1.units })
        let invocation = HelperInvocation(renderer: self, call: call, arguments: arguments)
        do {
            let value = try call.helper.run(invocation, &output)
            // A loop can make a text that it stores longer and longer.
            if case .string(let text) = value { try checkSize(text.utf8.count) }
            return value
        } catch {
            if error.isPrinted { return .string("[ERROR: \(error.message)]") }
            throw located(error, call)
        }
    }

    /// Adds the place of the tag to a failure that has none.
    private func located(_ failure: TemplateFailure, _ call: TemplateCall) -> TemplateFailure {
        guard failure.position == nil else { return failure }
        var failure = TemplateFailure("\(call.name): \(failure.message)")
        failure.position = FilePosition(offset: call.offset, in: Array(source.text.utf8))
        return failure
    }
}
