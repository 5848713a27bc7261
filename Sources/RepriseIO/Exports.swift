// SPDX-License-Identifier: Apache-2.0

// Clients that use no event loop need `Locked` too, so it has a separate module.
@_exported public import RepriseLocking
