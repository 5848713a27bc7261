// SPDX-License-Identifier: Apache-2.0

@testable import RepriseDocuments
@testable import RepriseText

/// The first line is a path, the rest a document. Compiling any path returns it or locates the mistake, and evaluating
/// it over any document ends within its steps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSONPath(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.count
    let text = String(decoding: input[..<end], as: UTF8.self)
    do throws(JSONPathError) {
        let path = try JSONPath(text)
        guard let tree = try? JSONTree(parsing: Array(input[end...])) else { return 0 }
        evaluate(path, tree)
    } catch {
        precondition(error.offset >= 0 && error.offset <= text.utf8.count, "a mistake outside of the path")
    }
    return 0
}

private func evaluate(_ path: JSONPath, _ tree: JSONTree) {
    let limit = 20_000
    let budget = WorkBudget(steps: limit)
    let result = path.evaluate(tree, budget: budget) { $0.utf8.count < $1.utf8.count }
    switch result {
    case .missing, .inapplicable: return
    case .value: precondition(path.isDefinite, "one value at an indefinite path")
    case .list(let values):
        precondition(!path.isDefinite, "a list at a definite path")
        precondition(values.count <= limit, "more values than steps")
    }
    precondition(!budget.isSpent, "a result without steps")
    precondition(path.evaluate(tree, budget: WorkBudget(steps: limit)) { $0.utf8.count < $1.utf8.count } == result)
}
