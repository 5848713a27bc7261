// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import CRepriseLibevent

    /// The system's notifications about changed files: kqueue. Loop thread only.
    ///
    /// It watches each file and folder through a descriptor of its own. A notification does not contain what changed,
    /// so the files are compared after each one.
    final class FileNotifier {
        /// Whether each file has to be watched, and not just its folder.
        static let watchesFiles = true

        private let descriptor: Int32
        private let handler: (_ isCertain: Bool) -> Void
        private var event: LoopEvent?
        private var watched: [FolderSurvey.Place: Int32] = [:]

        init(
            loop: EventLoop,
            isIgnored: @escaping (_ path: String, _ isFolder: Bool) -> Bool,
            handler: @escaping (_ isCertain: Bool) -> Void
        ) throws(FileWatchError) {
            descriptor = shim_notifier_open()
            guard descriptor >= 0 else { throw FileWatchError(cause: .last("kqueue"), path: nil) }
            self.handler = handler
            do throws(SystemError) {
                event = try unsafe .waiting(
                    .read,
                    of: descriptor,
                    on: loop,
                    target: self,
                    callback: notificationsArrived
                )
            } catch {
                closeDescriptor(descriptor)
                throw FileWatchError(cause: error, path: nil)
            }
        }

        func close() {
            guard let event else { return }
            event.free()
            self.event = nil
            for file in watched.values { closeDescriptor(file) }
            watched = [:]
            closeDescriptor(descriptor)
        }

        /// Watches these places and no others.
        ///
        /// - Returns: Whether there are new ones, and the first error.
        func watch(_ places: [FolderSurvey.Place]) -> (hasNew: Bool, error: FileWatchError?) {
            var hasNew = false
            var failure: FileWatchError?
            var current: [FolderSurvey.Place: Int32] = [:]
            for place in places where current[place] == nil {
                if let file = watched.removeValue(forKey: place) {
                    current[place] = file
                    continue
                }
                do throws(SystemError) {
                    current[place] = try open(place)
                    hasNew = hasNew || place.interest == .contents || place.interest == .file
                } catch {
                    let isRequired = place.interest == .contents || place.interest == .file
                    guard isRequired, error.code != ENOENT, error.code != ENOTDIR, failure == nil else { continue }
                    failure = FileWatchError(cause: error, path: place.path)
                }
            }
            // Closing a descriptor ends its notifications.
            for file in watched.values { closeDescriptor(file) }
            watched = current
            return (hasNew, failure)
        }

        private func open(_ place: FolderSurvey.Place) throws(SystemError) -> Int32 {
            let file = unsafe shim_open_for_events(place.path)
            guard file >= 0 else { throw SystemError.last("open") }
            var changes = Int32(NOTE_DELETE) | Int32(NOTE_RENAME) | Int32(NOTE_REVOKE)
            if place.interest != .itself {
                changes |= Int32(NOTE_WRITE) | Int32(NOTE_EXTEND) | Int32(NOTE_ATTRIB)
            }
            guard shim_notifier_add(descriptor, file, UInt32(changes)) == 0 else {
                let error = SystemError.last("kevent")
                closeDescriptor(file)
                throw error
            }
            return file
        }

        fileprivate func readNotifications() {
            var count = 0
            while event != nil, shim_notifier_take(descriptor) > 0 { count += 1 }
            if count > 0 { handler(false) }
        }
    }

    private func notificationsArrived(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
        unsafe target(context, as: FileNotifier.self)?.readNotifications()
    }
#endif
