// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if canImport(Glibc)
    private let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    private let descriptorLimit = RLIMIT_NOFILE
#endif

/// Sets the process's limit on descriptors. Only for tests that run in their own process.
func setDescriptorLimit(_ number: Int) {
    var limit = rlimit()
    unsafe getrlimit(descriptorLimit, &limit)
    limit.rlim_cur = rlim_t(number)
    unsafe setrlimit(descriptorLimit, &limit)
}

/// The number of descriptors that the process has open.
func countDescriptors() -> Int {
    var limit = rlimit()
    unsafe getrlimit(descriptorLimit, &limit)
    return (0..<Int32(clamping: min(limit.rlim_cur, 4096))).count { fcntl($0, F_GETFD) != -1 }
}
