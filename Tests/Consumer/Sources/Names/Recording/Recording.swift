// SPDX-License-Identifier: Apache-2.0

/// Stands for code of an app.
public enum Recording {}
