// SPDX-License-Identifier: Apache-2.0

import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a file where a small mistake still compiles, as far as the syntax shows.
final class MutationFinder: SyntaxVisitor {
    private(set) var mutations: [Mutation] = []
    private let file: String
    private let converter: SourceLocationConverter

    private static let operators = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "-": "+",
    ]
    private static let functions = ["min": "max", "max": "min"]

    /// Returns the mutations of the file whose text is `source`.
    static func mutations(in source: String, file: String) -> [Mutation] {
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let finder = MutationFinder(file: file, tree: tree)
        finder.walk(tree)
        return finder.mutations
    }

    private init(file: String, tree: Syntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    private func add(_ node: some SyntaxProtocol, _ mistake: Mutation.Mistake) {
        let original = node.trimmedDescription
        // An expression is written twice. In one line, it leaves the numbers of the lines below as they are.
        if case .expression = mistake, original.contains("\n") { return }
        let start = node.positionAfterSkippingLeadingTrivia
        let place = converter.location(for: start)
        mutations.append(
            Mutation(
                file: file,
                line: place.line,
                column: place.column,
                range: start.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset,
                original: original,
                mistake: mistake
            )
        )
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.trimmedDescription
        // A comparison with nil has no other meaning for a type without ==, and a difference of times has no sum.
        let isCompared = !node.rightOperand.is(NilLiteralExprSyntax.self)
        if let other = Self.operators[name],
            name == "-" ? node.rightOperand.is(IntegerLiteralExprSyntax.self) : isCompared
        {
            let sides = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
            add(node, .expression("\(sides.0) \(other) \(sides.1)"))
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let other = Self.functions[node.calledExpression.trimmedDescription], node.arguments.count > 1 {
            add(node, .expression("\(other)(\(node.arguments.trimmedDescription))"))
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = Int(node.literal.text.filter { $0 != "_" }), value < 1 << 31 else { return .skipChildren }
        add(node, .expression(String(value == 0 ? 1 : value - 1)))
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // Without its condition, a loop that never ends would need a return after it.
        if node.parent?.parent?.parent?.is(WhileStmtSyntax.self) == true { return .skipChildren }
        add(node, .expression(node.literal.text == "true" ? "false" : "true"))
        return .skipChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if let condition = node.condition.as(ExprSyntax.self), !condition.is(BooleanLiteralExprSyntax.self) {
            add(condition, .expression("!(\(condition.trimmedDescription))"))
        }
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        add(node.condition, .expression("!(\(node.condition.trimmedDescription))"))
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        add(node.condition, .expression("!(\(node.condition.trimmedDescription))"))
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .expr(let expression) = node.item, isEffect(expression), !isValue(node) { add(expression, .leftOut) }
        return .visitChildren
    }

    /// Whether the expression is a call or changes a property, and the code below compiles without it.
    private func isEffect(_ expression: ExprSyntax) -> Bool {
        let inner =
            expression.as(TryExprSyntax.self)?.expression ?? expression.as(AwaitExprSyntax.self)?.expression
            ?? expression.as(UnsafeExprSyntax.self)?.expression
            ?? expression.as(OptionalChainingExprSyntax.self)?.expression
        if let inner { return isEffect(inner) }
        if let assignment = expression.as(InfixOperatorExprSyntax.self) {
            let name = assignment.operator.trimmedDescription
            // There, it may be the first value of a property.
            let isInInitializer = sequence(first: Syntax(expression), next: \.parent)
                .contains { $0.is(InitializerDeclSyntax.self) }
            let changes =
                name == "=" && assignment.leftOperand.is(MemberAccessExprSyntax.self) && !isInInitializer
            return changes || ["+=", "-="].contains(name)
        }
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        // These end the function, or begin its object.
        let needed = ["precondition", "fatalError", "super.init", "self.init"]
        return !needed.contains { call.calledExpression.trimmedDescription.hasPrefix($0) }
    }

    /// Whether the only statement of a body is its value, or must leave the function.
    private func isValue(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), let block = list.parent else { return true }
        if block.is(SourceFileSyntax.self) { return true }
        guard list.count == 1 else { return false }
        guard let owner = block.is(CodeBlockSyntax.self) ? block.parent : block else { return true }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        if owner.is(IfExprSyntax.self) { return isPartOfValue(owner) }
        if owner.is(SwitchCaseSyntax.self) { return owner.parent?.parent.map(isPartOfValue) ?? true }
        let others: [any SyntaxProtocol.Type] = [
            InitializerDeclSyntax.self, DeinitializerDeclSyntax.self, DeferStmtSyntax.self, ForStmtSyntax.self,
            WhileStmtSyntax.self, DoStmtSyntax.self, CatchClauseSyntax.self,
        ]
        return !others.contains { owner.is($0) }
    }

    /// Whether the branches of a condition are values. A condition after `else` belongs to the one before.
    private func isPartOfValue(_ condition: Syntax) -> Bool {
        guard let parent = condition.parent else { return true }
        if parent.is(IfExprSyntax.self) { return isPartOfValue(parent) }
        guard parent.is(ExpressionStmtSyntax.self), let item = parent.parent?.as(CodeBlockItemSyntax.self) else {
            return true
        }
        return isValue(item)
    }

    // Where the syntax allows no expression, or the compiler must know its value.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: GenericArgumentSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }
}
