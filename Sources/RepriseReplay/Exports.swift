// SPDX-License-Identifier: Apache-2.0

// The types that this module's API uses, and those from which tests build fixtures. The modules that define them are
// not products.
@_exported public import enum RepriseAnswers.Pace
@_exported public import struct RepriseCassettes.Exchange
@_exported public import struct RepriseCassettes.RecordedBody
@_exported public import struct RepriseCassettes.RecordedRequest
@_exported public import struct RepriseCassettes.RecordedResponse
@_exported public import struct RepriseCassettes.RecordingTime
@_exported public import struct RepriseCassettes.StreamStep
@_exported public import struct RepriseFixtures.Fixture
@_exported public import enum RepriseFixtures.FixtureLoader
@_exported public import struct RepriseFixtures.FixtureSet
@_exported public import struct RepriseFixtures.Matcher
@_exported public import enum RepriseFixtures.RedactionFile
@_exported public import enum RepriseMatching.AfterLast
@_exported public import class RepriseRecording.CassetteRecorder
@_exported public import struct RepriseRecording.RecordingError
@_exported public import enum RepriseRecording.RecordingMode
@_exported public import struct RepriseRecording.RequestSelection
@_exported public import struct RepriseRedaction.Redaction
@_exported public import struct RepriseStubAnswers.StubFixture
@_exported public import struct RepriseStubAnswers.StubOptions
@_exported public import struct RepriseText.Bend
@_exported public import enum RepriseText.ByteSource
@_exported public import enum RepriseText.Ending
@_exported public import enum RepriseText.Failure
@_exported public import struct RepriseText.FilePosition
@_exported public import struct RepriseText.FileSource
@_exported public import struct RepriseText.FixtureProblem
@_exported public import struct RepriseText.FixtureProblems
@_exported public import struct RepriseText.FixtureSource
@_exported public import struct RepriseText.HeaderLine
