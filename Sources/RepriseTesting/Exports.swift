// SPDX-License-Identifier: Apache-2.0

@_exported public import RepriseControl

// The types that tests use for cassettes and servers. Import the client under test separately.
@_exported public import enum RepriseAnswers.Pace
@_exported public import struct RepriseCassettes.RecordedRequest
@_exported public import struct RepriseFixtures.Fixture
@_exported public import enum RepriseFixtures.FixtureLoader
@_exported public import struct RepriseFixtures.FixtureSet
@_exported public import struct RepriseFixtures.Matcher
@_exported public import enum RepriseMatching.AfterLast
@_exported public import class RepriseRecording.CassetteRecorder
@_exported public import struct RepriseRecording.RecordingError
@_exported public import enum RepriseRecording.RecordingMode
@_exported public import struct RepriseRecording.RequestSelection
@_exported public import struct RepriseRedaction.Redaction
@_exported public import class RepriseReplay.CassetteSession
@_exported public import enum RepriseReplay.ReplayMode
@_exported public import struct RepriseReplay.ReplayReport
@_exported public import class RepriseReplay.ReplayingTransport
@_exported public import class RepriseReplay.VirtualClock
@_exported public import struct RepriseText.Bend
@_exported public import struct RepriseText.FilePosition
@_exported public import struct RepriseText.FixtureProblem
@_exported public import struct RepriseText.FixtureProblems
@_exported public import struct RepriseText.FixtureSource
@_exported public import struct RepriseText.HeaderLine

#if os(Linux) || os(macOS)
    @_exported public import struct RepriseIO.Trust
    @_exported public import struct RepriseServer.Journal
    @_exported public import struct RepriseServer.JournalEntry
    @_exported public import enum RepriseServer.Latency
    @_exported public import class RepriseServer.MockServer
    @_exported public import struct RepriseServer.StartError
    @_exported public import struct RepriseServer.UpstreamError
#endif
