// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import by itself: constants that are enums here and macros there, variadic functions,
// and the few calls that differ between Linux and Darwin. Everything else is called from Swift.
#pragma once
// Before libevent: its headers use u_char and friends without including them.
#include <sys/types.h>

#include <event2/event.h>
#include <event2/util.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/event.h>
#include <sys/syslimits.h>
#include <crt_externs.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/timerfd.h>
#endif

static inline int shim_errno(void) {
    return errno;
}

// A thread, its handle as a number on every platform.
static inline int shim_thread_start(uintptr_t *handle, void *(*body)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // Fixed, because the defaults range from 128 KiB (musl) to 8 MiB (glibc).
    pthread_attr_setstacksize(&attributes, 2u << 20);
    pthread_t thread;
    int code = pthread_create(&thread, &attributes, body, context);
    pthread_attr_destroy(&attributes);
    *handle = code == 0 ? (uintptr_t)thread : 0;
    return code;
}

static inline void shim_thread_join(uintptr_t handle) {
    pthread_join((pthread_t)handle, NULL);
}

static inline void shim_thread_detach(uintptr_t handle) {
    pthread_detach((pthread_t)handle);
}

// Blocks SIGPIPE on the calling thread, where its own writes would raise it. Darwin sends the signal of a pipe to the
// process instead, where another thread takes it: there shim_prepare and shim_report_broken_pipe keep it from being
// sent.
static inline void shim_block_broken_pipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

// Lets a write to a pipe that nobody reads fail without a signal, for all that have this pipe open.
static inline void shim_report_broken_pipe(int descriptor) {
#ifdef __APPLE__
    fcntl(descriptor, F_SETNOSIGPIPE, 1);
#else
    (void)descriptor;
#endif
}

// Its waits with a limit go by a clock that nobody sets.
static inline void shim_condition_init(pthread_cond_t *condition) {
#ifdef __APPLE__
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
}

// Waits for a signal for so long at most; the caller looks whether what it waits for has come.
static inline void shim_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds) {
    // A year, so that no sum overflows.
    if (nanoseconds > 31536000000000000u) {
        nanoseconds = 31536000000000000u;
    }
    struct timespec limit = {
        .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
#ifdef __APPLE__
    pthread_cond_timedwait_relative_np(condition, mutex, &limit);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    limit.tv_sec += now.tv_sec;
    limit.tv_nsec += now.tv_nsec;
    if (limit.tv_nsec >= 1000000000) {
        limit.tv_sec += 1;
        limit.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(condition, mutex, &limit);
#endif
}

static inline void shim_name_thread(const char *name) {
#ifdef __APPLE__
    pthread_setname_np(name);
#else
    pthread_setname_np(pthread_self(), name);
#endif
}

// Lets other threads go first while there are fewer processors than threads with work.
static inline void shim_lower_thread_priority(void) {
#ifdef __APPLE__
    pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#else
    // On Linux, this is about the calling thread and not about the process.
    setpriority(PRIO_PROCESS, 0, 10);
#endif
}

// libevent's messages. What it warns of comes as an error too, and standard error may be a pipe that nobody reads; a
// message of this severity is its last.
static inline void shim_event_log(int severity, const char *message) {
    if (severity == EVENT_LOG_ERR) {
        fprintf(stderr, "libevent: %s\n", message);
    }
}

// It must not return; libevent's own would end the process as if it had wished to.
static inline void shim_event_fatal(int error) {
    (void)error;
    abort();
}

static inline void shim_event_callbacks(void) {
    event_set_log_callback(shim_event_log);
    event_set_fatal_callback(shim_event_fatal);
}

// 0 if the process can have some more descriptors, duplicates of the given one; -1 with errno if not.
static inline int shim_probe_descriptors(int descriptor) {
    int probes[8];
    int count = 0;
    int error = 0;
    while (count < 8 && error == 0) {
        probes[count] = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (probes[count] < 0) {
            error = errno;
        } else {
            count++;
        }
    }
    while (count > 0) {
        close(probes[--count]);
    }
    errno = error;
    return error == 0 ? 0 : -1;
}

// NULL with errno if it cannot be had; any open descriptor is good enough for the probe.
static inline struct event_base *shim_event_base(int descriptor) {
    // Without a pair of sockets for its signals libevent would end the process instead of failing.
    if (shim_probe_descriptors(descriptor) != 0) {
        return NULL;
    }
    errno = ENOMEM;
    struct event_config *config = event_config_new();
    if (config == NULL) {
        return NULL;
    }
    // One thread owns the base, so its locks would only cost; and no environment variable picks another backend.
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

#ifndef __linux__
static inline int shim_prepare(int descriptor) {
    int on = 1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    return fcntl(descriptor, F_SETFL, O_NONBLOCK);
}
#endif

// A wake-up channel: ends[0] is read, ends[1] is written; both are the same eventfd on Linux.
static inline int shim_wake_open(int ends[2]) {
#ifdef __linux__
    ends[0] = ends[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return ends[0] < 0 ? -1 : 0;
#else
    if (pipe(ends) < 0) {
        return -1;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
        shim_report_broken_pipe(ends[end]);
    }
    return 0;
#endif
}

static inline void shim_wake_signal(int end) {
    uint64_t one = 1;
    ssize_t written;
    do {
        written = write(end, &one, sizeof one);
    } while (written < 0 && errno == EINTR);
}

static inline void shim_wake_clear(int end) {
    uint64_t count[8];
    ssize_t got;
    do {
        got = read(end, count, sizeof count);
    } while (got == sizeof count || (got < 0 && errno == EINTR));
}

// A non-blocking stream socket, closed on exec.
static inline int shim_socket(int family) {
#ifdef __linux__
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    int descriptor = socket(family, SOCK_STREAM, 0);
    if (descriptor >= 0) {
        shim_prepare(descriptor);
    }
    return descriptor;
#endif
}

static inline struct addrinfo shim_resolution_hints(void) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    return hints;
}

static inline int shim_accept(int listener) {
#ifdef __linux__
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor >= 0) {
        shim_prepare(descriptor);
    }
    return descriptor;
#endif
}

static inline int shim_duplicate(int descriptor) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

static inline int shim_set_option(int descriptor, int level, int name, int value) {
    return setsockopt(descriptor, level, name, &value, sizeof value);
}

// The socket's pending error (SO_ERROR), 0 for none.
static inline int shim_pending_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? errno : error;
}

// Makes the next close send RST and drop what is queued.
static inline int shim_discard_on_close(int descriptor) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

// The bytes that were sent and that the peer's system has not acknowledged.
static inline int shim_undelivered(int descriptor) {
    int count = 0;
#if defined(__APPLE__)
    socklen_t size = sizeof(count);
    if (getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) != 0) return 0;
#else
    if (ioctl(descriptor, TIOCOUTQ, &count) != 0) return 0;
#endif
    return count;
}

// The bytes that have arrived and were not read, -1 if that is unknown.
static inline int shim_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) != 0 ? -1 : count;
}

static inline ssize_t shim_send(int descriptor, const void *bytes, size_t count) {
#ifdef __linux__
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, 0);
#endif
}

// Both pieces, one after the other, in one call.
static inline ssize_t shim_send_two(
    int descriptor, const void *first, size_t first_count, const void *second, size_t second_count) {
    struct iovec pieces[2] = {
        {.iov_base = (void *)first, .iov_len = first_count}, {.iov_base = (void *)second, .iov_len = second_count}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
#ifdef __linux__
    return sendmsg(descriptor, &message, MSG_NOSIGNAL);
#else
    return sendmsg(descriptor, &message, 0);
#endif
}

static inline int shim_open_for_reading(const char *path) {
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

#ifdef __linux__
static inline int shim_timer_open(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

// Due at an absolute CLOCK_MONOTONIC time; 0 disarms. Either way an expiry not yet read is forgotten.
static inline int shim_timer_arm(int descriptor, uint64_t nanoseconds) {
    struct itimerspec due = {
        .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)},
    };
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &due, NULL);
}
#endif

static inline void shim_ignore_broken_pipe(void) {
    signal(SIGPIPE, SIG_IGN);
}

static inline int shim_limit_get(struct rlimit *limit) {
    return getrlimit(RLIMIT_NOFILE, limit);
}

static inline int shim_limit_set(const struct rlimit *limit) {
    return setrlimit(RLIMIT_NOFILE, limit);
}

static inline bool shim_is_signal_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static inline void shim_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static inline int shim_open_terminal(void) {
    return open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

// Makes a process group the one that reads from the terminal and gets its signals. If the terminal belongs to another
// group than the caller's, and `waits` is true, the system stops the caller's group until the terminal belongs to it;
// fails if no shell could continue the group.
static inline int shim_set_foreground(int terminal, pid_t group, bool waits) {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(waits ? SIG_UNBLOCK : SIG_BLOCK, &stop, &before);
    int result = tcsetpgrp(terminal, group);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

// Does to this process, and to its group if `group` is true, what the terminal's keys do, with SIGINT or SIGTSTP. The
// system ignores SIGTSTP if no shell could continue the group.
static inline void shim_signal_job(int number, bool group) {
    struct sigaction action = {.sa_handler = SIG_IGN}, before;
    sigaction(number, &action, &before);
    if (group) kill(0, number);
    // An ignored signal stays pending if the main thread blocks it, until it is ignored anew.
    sigaction(number, &action, NULL);
    // To this thread, which may block it, so that it takes effect before the call returns.
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
    sigset_t one, blocked;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, &blocked);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    sigaction(number, &before, NULL);
}

static inline char **shim_environment(void) {
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    extern char **environ;
    return environ;
#endif
}

// Starts a program, which is found by PATH, in a process group of its own and without blocked signals, so that its end
// can be waited for. Returns an error number.
static inline int shim_spawn(pid_t *process, char *const *arguments, char *const *environment) {
    posix_spawnattr_t attributes;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    // While SIGCHLD is ignored, the system discards the status of processes that have ended.
    signal(SIGCHLD, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    code = posix_spawnp(process, arguments[0], NULL, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    return code;
}

// Unmaps the pages of code. They are never changed, so the system maps them again from the file when they run.
static inline void shim_unmap_code(void) {
#ifdef __linux__
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return;
    char line[4096];
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long start, end, inode;
        char access[5];
        int count = sscanf(line, "%lx-%lx %4s %*s %*s %lu", &start, &end, access, &inode);
        if (count != 4 || inode == 0 || strcmp(access, "r-xp") != 0) continue;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    fclose(maps);
#endif
}

// The kind of a file or folder, and when it changed. Links are followed. Returns -1 with errno if it does not exist.
struct shim_item {
    uint64_t device, number;
    int64_t size, modified, changed;
    bool is_folder, is_link;
};

static inline int shim_item_at(const char *path, struct shim_item *item) {
    struct stat status;
    if (lstat(path, &status) != 0) return -1;
    item->is_link = S_ISLNK(status.st_mode);
    if (item->is_link && stat(path, &status) != 0) return -1;
    item->device = (uint64_t)status.st_dev;
    item->number = (uint64_t)status.st_ino;
    item->size = (int64_t)status.st_size;
    item->is_folder = S_ISDIR(status.st_mode);
#ifdef __APPLE__
    struct timespec modified = status.st_mtimespec, changed = status.st_ctimespec;
#else
    struct timespec modified = status.st_mtim, changed = status.st_ctim;
#endif
    item->modified = (int64_t)modified.tv_sec * 1000000000 + modified.tv_nsec;
    item->changed = (int64_t)changed.tv_sec * 1000000000 + changed.tv_nsec;
    return 0;
}

// Returns the name of the next entry, or NULL at the end.
static inline const char *shim_next_name(DIR *folder) {
    struct dirent *entry = readdir(folder);
    return entry == NULL ? NULL : entry->d_name;
}

#ifdef __linux__
static inline int shim_notifier_open(void) {
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}
#endif

#ifdef __APPLE__
static inline int shim_notifier_open(void) {
    int queue = kqueue();
    if (queue >= 0) fcntl(queue, F_SETFD, FD_CLOEXEC);
    return queue;
}

// Opens a descriptor that does not prevent the volume from being ejected.
static inline int shim_open_for_events(const char *path) {
    return open(path, O_EVTONLY | O_CLOEXEC);
}

static inline int shim_notifier_add(int queue, int descriptor, uint32_t changes) {
    struct kevent change;
    EV_SET(&change, (uintptr_t)descriptor, EVFILT_VNODE, EV_ADD | EV_CLEAR, changes, 0, NULL);
    return kevent(queue, &change, 1, NULL, 0, NULL);
}

// Removes the pending notifications and returns their number, at most 64; 0 if there are none.
static inline int shim_notifier_take(int queue) {
    struct kevent events[64];
    struct timespec now = {0, 0};
    return kevent(queue, NULL, 0, events, 64, &now);
}
#endif
