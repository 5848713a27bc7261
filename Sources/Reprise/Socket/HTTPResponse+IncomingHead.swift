// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension HTTPResponse {
        init(_ head: IncomingHead) {
            var fields = HTTPFields()
            fields.reserveCapacity(head.fields.count)
            for field in head.fields {
                guard let name = HTTPField.Name(field.name) else { continue }
                let bytes = field.valueBytes
                // Keep values with bytes outside ASCII as bytes, and all others as strings, which is how they are
                // usually read.
                if bytes.contains(where: { $0 >= 0x80 }) {
                    fields.append(HTTPField(name: name, lenientValue: bytes))
                } else {
                    fields.append(HTTPField(name: name, value: field.value))
                }
            }
            self.init(
                status: Status(code: head.status, reasonPhrase: String(decoding: head.reason, as: UTF8.self)),
                headerFields: fields
            )
        }
    }
#endif
