// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
    private import CRepriseLibevent

    /// The system's notifications about changed files: inotify. Loop thread only.
    ///
    /// It watches folders, which report what happens to their files. A link is watched itself, because its folder does
    /// not report changes to the file that it leads to.
    final class FileNotifier {
        /// Whether each file has to be watched, and not just its folder.
        static let watchesFiles = false

        private let descriptor: Int32
        private let loop: EventLoop
        private let isIgnored: (_ path: String, _ isFolder: Bool) -> Bool
        private var handler: ((_ isCertain: Bool) -> Void)?
        private var event: LoopEvent?
        private var watched: [Int32: Watched] = [:]

        /// What to watch about a file or folder, which may be at several of the survey's places.
        private struct Watched: Equatable {
            var path: String
            var hasContents = false
            var isFile = false
            var names: Set<String> = []

            mutating func add(_ interest: FolderSurvey.Interest) {
                switch interest {
                case .contents: hasContents = true
                case .entry(let name): names.insert(name)
                case .file: isFile = true
                case .itself: break
                }
            }

            /// Whether changes go unnoticed if it cannot be watched. An enclosing folder may not be readable.
            var isRequired: Bool { hasContents || isFile }

            var mask: Int {
                var mask = Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF)
                if !isFile { mask |= Int(IN_ONLYDIR) }
                if hasContents || isFile || !names.isEmpty {
                    mask |= Int(IN_MODIFY) | Int(IN_CLOSE_WRITE) | Int(IN_ATTRIB)
                }
                if hasContents || !names.isEmpty {
                    mask |= Int(IN_CREATE) | Int(IN_DELETE) | Int(IN_MOVED_FROM) | Int(IN_MOVED_TO)
                }
                return mask
            }
        }

        init(
            loop: EventLoop,
            isIgnored: @escaping (_ path: String, _ isFolder: Bool) -> Bool,
            handler: @escaping (_ isCertain: Bool) -> Void
        ) throws(FileWatchError) {
            descriptor = shim_notifier_open()
            guard descriptor >= 0 else { throw FileWatchError(cause: .last("inotify_init1"), path: nil) }
            self.loop = loop
            self.isIgnored = isIgnored
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
                close()
                throw FileWatchError(cause: error, path: nil)
            }
        }

        func close() {
            guard handler != nil else { return }
            event?.free()
            event = nil
            handler = nil
            closeDescriptor(descriptor)
        }

        /// Watches these places and no others.
        ///
        /// - Returns: Whether there are new ones, and the first error.
        func watch(_ places: [FolderSurvey.Place]) -> (hasNew: Bool, error: FileWatchError?) {
            var wanted: [FolderSurvey.Identity: Watched] = [:]
            for place in places {
                wanted[place.identity, default: Watched(path: place.path)].add(place.interest)
            }
            var hasNew = false
            var failure: FileWatchError?
            var current: [Int32: Watched] = [:]
            for place in wanted.values {
                let number = unsafe inotify_add_watch(descriptor, place.path, UInt32(place.mask))
                if number >= 0 {
                    hasNew = hasNew || (place.hasContents && watched[number]?.hasContents != true)
                    current[number] = place
                } else if place.isRequired, errno != ENOENT, errno != ENOTDIR, failure == nil {
                    failure = FileWatchError(cause: .last("inotify_add_watch"), path: place.path)
                }
            }
            for number in watched.keys where current[number] == nil { inotify_rm_watch(descriptor, number) }
            watched = current
            return (hasNew, failure)
        }

        fileprivate func readNotifications() {
            let buffer = unsafe loop.receiveBuffer
            while handler != nil {
                let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    offset += MemoryLayout<inotify_event>.size
                    let name = unsafe Self.name(in: buffer[offset..<(offset + Int(event.len))])
                    offset += Int(event.len)
                    handle(event, name)
                }
            }
        }

        /// Returns the name in a field that is padded with zero bytes.
        private static func name(in bytes: Slice<UnsafeMutableRawBufferPointer>) -> String {
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }

        private func handle(_ event: inotify_event, _ name: String) {
            let mask = Int(event.mask)
            // The system dropped notifications, because they were not read fast enough.
            if mask & Int(IN_Q_OVERFLOW) != 0 { handler?(true) }
            guard let place = watched[event.wd] else { return }
            let isFolder = mask & Int(IN_ISDIR) != 0
            if mask & Int(IN_IGNORED) != 0 {
                watched[event.wd] = nil
                handler?(false)
            } else if mask & (Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF)) != 0 {
                handler?(false)
            } else if name.isEmpty || place.names.contains(name)
                || place.hasContents && !isIgnored("\(place.path)/\(name)", isFolder)
            {
                // A file that was closed may not have changed. A folder has to be read.
                handler?(!isFolder && mask & (Int(IN_CLOSE_WRITE) | Int(IN_ATTRIB)) == 0)
            }
        }
    }

    private func notificationsArrived(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
        unsafe target(context, as: FileNotifier.self)?.readNotifications()
    }
#endif
