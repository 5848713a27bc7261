// SPDX-License-Identifier: Apache-2.0

// Types that tests send to a server or receive from it, so that one import is enough.
@_exported public import struct RepriseAdmin.AdminErrors
@_exported public import struct RepriseAdmin.LoggedRequest
@_exported public import struct RepriseAdmin.LoggedResponse
@_exported public import struct RepriseAdmin.NamedValues
@_exported public import struct RepriseAdmin.NearMiss
@_exported public import enum RepriseAdmin.RequestCount
@_exported public import struct RepriseAdmin.ScenarioState
@_exported public import struct RepriseAdmin.ServeEvent
@_exported public import struct RepriseAdmin.VerificationFailure
@_exported public import enum RepriseDocuments.JSONSchemaVersion
@_exported public import enum RepriseDocuments.JSONTree
@_exported public import struct RepriseStubs.NamedMatcher
@_exported public import struct RepriseStubs.StubMapping
@_exported public import struct RepriseStubs.StubRequest
@_exported public import struct RepriseStubs.StubResponse
@_exported public import enum RepriseStubs.ValueMatcher
