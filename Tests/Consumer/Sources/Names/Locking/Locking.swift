// SPDX-License-Identifier: Apache-2.0

/// A placeholder for code of an app.
public enum Locking {}
