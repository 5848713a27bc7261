// SPDX-License-Identifier: Apache-2.0

/// Whether the recorded time between a request and the head of its response is played.
public enum Latency: String, Sendable, Hashable, CaseIterable {
    /// The head is sent at once.
    case none
    /// The head is sent after the recorded time.
    case recorded
}
