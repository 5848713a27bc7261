// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension HTTPResponse {
        /// The head as values.
        init(_ head: IncomingHead) {
            var fields = HTTPFields()
            fields.reserveCapacity(head.fields.count)
            for field in head.fields {
                guard let name = HTTPField.Name(field.name) else { continue }
                let bytes = field.valueBytes
                // What is no UTF-8 is kept as bytes; the rest as a string, which it is most often read as.
                if bytes.contains(where: { $0 >= 0x80 }) {
                    fields.append(HTTPField(name: name, lenientValue: bytes))
                } else {
                    fields.append(HTTPField(name: name, value: field.value))
                }
            }
            let reason = head.statusText.dropFirst(4)
            self.init(
                status: Status(code: head.status, reasonPhrase: String(decoding: reason, as: UTF8.self)),
                headerFields: fields
            )
        }
    }
#endif
