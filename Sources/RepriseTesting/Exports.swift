// SPDX-License-Identifier: Apache-2.0

// A test names clients, modes, matchers and servers: one import gives it all.
@_exported public import RepriseReplay

#if os(Linux) || os(macOS)
    @_exported public import RepriseServer
#endif
