// SPDX-License-Identifier: Apache-2.0
// A network in which a command finds only this process's server: what libc and the kernel offer for it, on Linux.
#pragma once
#include "shim.h"

#ifdef __linux__
#include <net/if.h>
#include <sched.h>
#endif

// A network namespace in which only the loopback interface is up, the user namespace that owns it, or -1 if that is the
// one of this process, and a socket within it.
struct shim_sealed_network {
    int network, user, socket;
};

// The steps of making one.
enum { shim_seal_fork, shim_seal_namespace, shim_seal_user, shim_seal_loopback };

#ifdef __linux__
// CLONE_NEWUSER and CLONE_NEWNET, which Swift's module of the C library hides.
enum { shim_new_user = 0x10000000, shim_new_network = 0x40000000 };

static inline int shim_write_file(const char *path, const char *text) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = write(descriptor, text, strlen(text));
    int error = errno;
    close(descriptor);
    errno = error;
    return count < 0 ? -1 : 0;
}

// Moves this process, which has one thread, to a new network namespace. Returns a socket within it, or -1 with errno.
static inline int shim_enter_network(bool with_user, const char *uid_map, const char *gid_map, int *step) {
    *step = shim_seal_namespace;
    if (unshare(with_user ? shim_new_user | shim_new_network : shim_new_network) != 0) return -1;
    *step = shim_seal_user;
    // An unprivileged process may map its own user and group, and the group only without setgroups: user_namespaces(7).
    if (with_user
        && (shim_write_file("/proc/self/setgroups", "deny") != 0 || shim_write_file("/proc/self/uid_map", uid_map) != 0
            || shim_write_file("/proc/self/gid_map", gid_map) != 0)) {
        return -1;
    }
    *step = shim_seal_loopback;
    int descriptor = shim_socket(AF_INET);
    if (descriptor < 0) return -1;
    struct ifreq request = {.ifr_name = "lo"};
    request.ifr_flags = IFF_UP;
    if (ioctl(descriptor, SIOCSIFFLAGS, &request) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

// The result of the process that makes the namespaces, and the descriptors that come with it.
struct shim_seal_result {
    int step, error;
};

// Runs in the process that makes the namespaces. The other threads of its parent do not exist here, so nothing may lock
// or allocate.
static inline void shim_send_sealed_network(int channel, const char *uid_map, const char *gid_map) {
    struct shim_seal_result result = {0};
    // A privileged process needs no user namespace, in which it could not use the files of other users.
    bool with_user = false;
    int descriptors[3];
    descriptors[0] = shim_enter_network(false, uid_map, gid_map, &result.step);
    if (descriptors[0] < 0) {
        with_user = true;
        descriptors[0] = shim_enter_network(true, uid_map, gid_map, &result.step);
    }
    descriptors[1] = descriptors[0] < 0 ? -1 : open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    descriptors[2] = descriptors[1] < 0 ? -1 : open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    int count = descriptors[2] < 0 ? 0 : with_user ? 3 : 2;
    if (count == 0) result.error = errno;
    struct iovec piece = {.iov_base = &result, .iov_len = sizeof result};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof descriptors)];
    } control = {0};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
    }
    sendmsg(channel, &message, MSG_NOSIGNAL);
}

static inline void shim_receive_sealed_network(
    int channel, struct shim_sealed_network *sealed, struct shim_seal_result *result) {
    int descriptors[3] = {-1, -1, -1};
    struct iovec piece = {.iov_base = result, .iov_len = sizeof *result};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof descriptors)];
    } control = {0};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do {
        count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL) memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    *sealed = (struct shim_sealed_network){
        .socket = descriptors[0], .network = descriptors[1], .user = descriptors[2]};
    // A filter of system calls may end the process.
    if (count <= 0) *result = (struct shim_seal_result){shim_seal_namespace, EPERM};
}

// In the new process, all signals are blocked: the handlers are this program's, and write to descriptors that both
// processes share.
static inline pid_t shim_fork(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int error = errno;
    if (child != 0) pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return child;
}

// Makes the namespaces in another process, because a user namespace requires a process with one thread. Returns an
// error number.
static inline int shim_seal_network(struct shim_sealed_network *sealed, int *step) {
    struct shim_seal_result result = {shim_seal_fork, 0};
    char uid_map[64], gid_map[64];
    snprintf(uid_map, sizeof uid_map, "%u %u 1", geteuid(), geteuid());
    snprintf(gid_map, sizeof gid_map, "%u %u 1", getegid(), getegid());
    int channel[2];
    pid_t child = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) == 0) {
        child = shim_fork();
        if (child == 0) {
            shim_send_sealed_network(channel[1], uid_map, gid_map);
            _exit(0);
        }
        result.error = child < 0 ? errno : 0;
        close(channel[1]);
        if (child > 0) shim_receive_sealed_network(channel[0], sealed, &result);
        close(channel[0]);
    } else {
        result.error = errno;
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    *step = result.step;
    return result.error;
}

// As shim_spawn, within a sealed network.
static inline int shim_spawn_sealed(
    pid_t *process, char *const *arguments, char *const *environment, const struct shim_sealed_network *sealed) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    signal(SIGCHLD, SIG_DFL);
    pid_t child = shim_fork();
    if (child == 0) {
        for (int number = 1; number < NSIG; number++) {
            struct sigaction action;
            if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
        }
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setpgid(0, 0);
        if ((sealed->user < 0 || setns(sealed->user, shim_new_user) == 0) && setns(sealed->network, shim_new_network) == 0) {
            execvpe(arguments[0], arguments, environment);
        }
        int error = errno;
        _exit(write(report[1], &error, sizeof error) < 0 ? 126 : 127);
    }
    int error = child < 0 ? errno : 0;
    close(report[1]);
    // The pipe closes when the program starts.
    while (read(report[0], &error, sizeof error) < 0 && errno == EINTR) {}
    close(report[0]);
    if (error != 0) {
        while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    *process = child;
    return error;
}
#else
static inline int shim_seal_network(struct shim_sealed_network *sealed, int *step) {
    (void)sealed;
    *step = shim_seal_namespace;
    return ENOSYS;
}

static inline int shim_spawn_sealed(
    pid_t *process, char *const *arguments, char *const *environment, const struct shim_sealed_network *sealed) {
    (void)process, (void)arguments, (void)environment, (void)sealed;
    return ENOSYS;
}
#endif
