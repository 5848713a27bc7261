// SPDX-License-Identifier: Apache-2.0

/// Whether to play the recorded time between a request and the head of its response.
public enum Latency: String, Sendable, Hashable, CaseIterable {
    /// The head is sent immediately.
    case none
    /// The head is sent after the recorded time.
    case recorded
}
