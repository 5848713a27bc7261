// SPDX-License-Identifier: Apache-2.0

/// Where the body of a request comes from, piece by piece. Loop thread only.
protocol UploadSource: AnyObject {
    /// The connection wants a piece.
    func proceed()
    /// Nothing is wanted any more.
    func stop()
}
