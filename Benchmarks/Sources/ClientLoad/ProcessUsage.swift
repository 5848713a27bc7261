// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resources that this process has used so far.
struct ProcessUsage {
    /// User and system time of all threads, in seconds.
    let cpuSeconds: Double

    init() {
        var usage = rusage()
        getrusage(.ofThisProcess, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The largest resident set so far, in MiB.
    static var peakMebibytes: Double {
        var usage = rusage()
        getrusage(.ofThisProcess, &usage)
        #if os(Linux)
            return Double(usage.ru_maxrss) / 1024
        #else
            return Double(usage.ru_maxrss) / 1_048_576
        #endif
    }
}

#if canImport(Glibc)
    extension __rusage_who_t {
        fileprivate static var ofThisProcess: Self { Self(RUSAGE_SELF.rawValue) }
    }
#else
    extension Int32 {
        fileprivate static var ofThisProcess: Self { RUSAGE_SELF }
    }
#endif
