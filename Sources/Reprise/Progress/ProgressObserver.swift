// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    public import Combine

    /// The progress of a call as a view observes it.
    ///
    /// It is on Apple platforms alone. Updates come on the main actor; one that was overtaken is left out.
    @MainActor
    public final class ProgressObserver: ObservableObject {
        /// How far the request's content is; nil before it begins.
        @Published public private(set) var upload: TransferProgress?
        /// How far the response's content is; nil before it begins.
        @Published public private(set) var download: TransferProgress?

        /// An observer of nothing yet.
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
        /// Tells an observer how far the content is. See the closure's ``onProgress(_:)``.
        public consuming func onProgress(_ observer: ProgressObserver) -> Call {
            onProgress { progress in
                Task { @MainActor in observer.take(progress) }
            }
        }
    }
#endif
