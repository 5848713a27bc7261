// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    public import Combine

    /// The progress of a call, for views to observe.
    ///
    /// This type is available only on Apple platforms. Updates arrive on the main actor. Outdated ones are dropped.
    @MainActor
    public final class ProgressObserver: ObservableObject {
        /// The progress of the request's content, or nil before it begins.
        @Published public private(set) var upload: TransferProgress?
        /// The progress of the response's content, or nil before it begins.
        @Published public private(set) var download: TransferProgress?

        /// Creates an observer without any progress yet.
        public init() {}

        fileprivate func take(_ progress: TransferProgress) {
            switch progress.direction {
            case .upload: if progress.isNewer(than: upload) { upload = progress }
            case .download: if progress.isNewer(than: download) { download = progress }
            }
        }
    }

    extension TransferProgress {
        fileprivate func isNewer(than other: TransferProgress?) -> Bool {
            guard let other else { return true }
            return (round, bytes, total == nil ? 0 : 1) > (other.round, other.bytes, other.total == nil ? 0 : 1)
        }
    }

    extension Call {
        /// Reports progress to an observer. See ``onProgress(_:)`` with a closure for details.
        public consuming func onProgress(_ observer: ProgressObserver) -> Call {
            onProgress { progress in
                Task { @MainActor in observer.take(progress) }
            }
        }
    }
#endif
