// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

extension Exchange {
    /// The names of the places in which this exchange differs from `other`, without the values.
    func differences(from other: Exchange) -> [String] {
        var places: [String] = []
        if request.url != other.request.url || request.base != other.request.base { places.append("URL") }
        places += Self.names(request.headers, other.request.headers).map { "request header \($0)" }
        if request.body != other.request.body { places.append("request body") }
        places += Self.names(request.trailers, other.request.trailers).map { "request trailer \($0)" }
        guard case .response(let response) = outcome, case .response(let old) = other.outcome else { return places }
        if response.reasonBytes != old.reasonBytes { places.append("reason phrase") }
        places += Self.names(response.headers, old.headers).map { "response header \($0)" }
        if response.content != old.content { places.append("response body") }
        places += Self.names(response.trailers, old.trailers).map { "trailer \($0)" }
        for (head, old) in zip(response.informational, old.informational) {
            if head.reasonBytes != old.reasonBytes { places.append("reason phrase of informational response") }
            places += Self.names(head.headers, old.headers).map { "informational response header \($0)" }
        }
        return places
    }

    private static func names(_ new: [HeaderLine], _ old: [HeaderLine]) -> [String] {
        // A line that was removed describes the body, which is listed.
        guard new.count == old.count else { return [] }
        return zip(new, old).filter { $0 != $1 }.map { clipped($0.0.name) }
    }
}
