// SPDX-License-Identifier: Apache-2.0

// A test that embeds a server names fixtures, matching options and problems: one import gives it all.
@_exported public import RepriseFixtures
