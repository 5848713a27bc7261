// SPDX-License-Identifier: Apache-2.0

// What the API of this module names, and no more: the modules of fixtures are not products.
@_exported public import struct RepriseCassettes.RecordedRequest
@_exported public import struct RepriseFixtures.Fixture
@_exported public import enum RepriseFixtures.FixtureLoader
@_exported public import struct RepriseFixtures.FixtureSet
@_exported public import enum RepriseFixtures.RedactionFile
@_exported public import struct RepriseMatching.MatchingOptions
@_exported public import class RepriseRecording.CassetteRecorder
@_exported public import struct RepriseRecording.RecordingError
@_exported public import enum RepriseRecording.RecordingMode
@_exported public import struct RepriseRecording.RequestSelection
@_exported public import struct RepriseRedaction.Redaction
@_exported public import struct RepriseText.FilePosition
@_exported public import struct RepriseText.FixtureProblem
@_exported public import struct RepriseText.FixtureProblems
@_exported public import struct RepriseText.FixtureSource
@_exported public import struct RepriseText.HeaderLine
