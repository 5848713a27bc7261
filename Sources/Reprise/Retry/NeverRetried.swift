// SPDX-License-Identifier: Apache-2.0

/// An error after which a call is not tried again, whatever its ``RetryPolicy`` says: one that another attempt would only
/// repeat.
///
/// ```swift
/// struct OutOfStock: NeverRetried {}
/// ```
public protocol NeverRetried: Error {}
