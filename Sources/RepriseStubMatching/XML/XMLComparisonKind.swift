// SPDX-License-Identifier: Apache-2.0

/// The kinds of comparison that can be left out, with XMLUnit's names.
enum XMLComparisonKind: String, Sendable, Hashable, CaseIterable {
    case elementTagName = "ELEMENT_TAG_NAME"
    case schemaLocation = "SCHEMA_LOCATION"
    case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
    case nodeType = "NODE_TYPE"
    case namespaceURI = "NAMESPACE_URI"
    case namespacePrefix = "NAMESPACE_PREFIX"
    case textValue = "TEXT_VALUE"
    case instructionTarget = "PROCESSING_INSTRUCTION_TARGET"
    case instructionData = "PROCESSING_INSTRUCTION_DATA"
    case elementNumAttributes = "ELEMENT_NUM_ATTRIBUTES"
    case attributeValue = "ATTR_VALUE"
    case attributeExplicit = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
    case childNodeListLength = "CHILD_NODELIST_LENGTH"
    case childNodeListSequence = "CHILD_NODELIST_SEQUENCE"
    case childLookup = "CHILD_LOOKUP"
    case attributeNameLookup = "ATTR_NAME_LOOKUP"
    case hasDoctype = "HAS_DOCTYPE_DECLARATION"
    case doctypeName = "DOCTYPE_NAME"
    case doctypePublicID = "DOCTYPE_PUBLIC_ID"
    case doctypeSystemID = "DOCTYPE_SYSTEM_ID"
    case version = "XML_VERSION"
    case standalone = "XML_STANDALONE"
    case encoding = "XML_ENCODING"
}
