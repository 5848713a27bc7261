// SPDX-License-Identifier: Apache-2.0

// `Locked`, which a client without a loop needs too.
@_exported public import RepriseLocking
