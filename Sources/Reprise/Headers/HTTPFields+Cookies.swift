// SPDX-License-Identifier: Apache-2.0

extension HTTPFields {
    /// The fields with all cookies in one field, as RFC 6265 section 5.4 requires.
    ///
    /// HTTPTypes stores a field for each cookie when the Cookie field is set, which only HTTP/2 allows (RFC 9113
    /// section 8.2.3).
    package var withJoinedCookies: HTTPFields {
        guard let first = firstIndex(where: { $0.name == .cookie }),
            self[(first + 1)...].contains(where: { $0.name == .cookie }), let cookies = self[.cookie]
        else { return self }
        var fields = HTTPFields()
        fields.reserveCapacity(count)
        for index in indices where index == first || self[index].name != .cookie {
            fields.append(index == first ? HTTPField(name: self[index].name, value: cookies) : self[index])
        }
        return fields
    }
}
