// SPDX-License-Identifier: Apache-2.0

// Whoever records or replays names requests, matching options and problems of fixtures: one import gives it all.
@_exported public import Reprise
@_exported public import RepriseFixtures
