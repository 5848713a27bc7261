// SPDX-License-Identifier: Apache-2.0
// The Glibc module leaves epoll out.
#ifdef __linux__
#include <sys/epoll.h>
#endif
