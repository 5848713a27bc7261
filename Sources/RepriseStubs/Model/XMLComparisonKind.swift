// SPDX-License-Identifier: Apache-2.0

/// The kinds of comparison that `equalToXml` can leave out, with XMLUnit's names.
package enum XMLComparisonKind: String, Sendable, Hashable, CaseIterable {
    case version = "XML_VERSION"
    case standalone = "XML_STANDALONE"
    case encoding = "XML_ENCODING"
    case hasDoctype = "HAS_DOCTYPE_DECLARATION"
    case doctypeName = "DOCTYPE_NAME"
    case doctypePublicID = "DOCTYPE_PUBLIC_ID"
    case doctypeSystemID = "DOCTYPE_SYSTEM_ID"
    case schemaLocation = "SCHEMA_LOCATION"
    case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
    case nodeType = "NODE_TYPE"
    case namespacePrefix = "NAMESPACE_PREFIX"
    case namespaceURI = "NAMESPACE_URI"
    case textValue = "TEXT_VALUE"
    case instructionTarget = "PROCESSING_INSTRUCTION_TARGET"
    case instructionData = "PROCESSING_INSTRUCTION_DATA"
    case elementTagName = "ELEMENT_TAG_NAME"
    case elementNumAttributes = "ELEMENT_NUM_ATTRIBUTES"
    case attributeValue = "ATTR_VALUE"
    case attributeExplicit = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
    case attributeNameLookup = "ATTR_NAME_LOOKUP"
    case childNodeListLength = "CHILD_NODELIST_LENGTH"
    case childNodeListSequence = "CHILD_NODELIST_SEQUENCE"
    case childLookup = "CHILD_LOOKUP"
}
