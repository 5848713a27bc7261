// SPDX-License-Identifier: Apache-2.0

// Whoever records or replays names requests, matching options and problems of fixtures: one import gives it all.
@_exported public import Reprise
@_exported public import RepriseAnswers
@_exported public import RepriseCassettes
@_exported public import RepriseFixtures
@_exported public import RepriseMatching
@_exported public import RepriseRecording
@_exported public import RepriseRedaction
@_exported public import RepriseText
