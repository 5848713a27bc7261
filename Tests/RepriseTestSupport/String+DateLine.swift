// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text without its Date lines, which differ from run to run. Only a line in the format of RFC 9110
    /// section 5.6.7 is removed.
    public var withoutDateLines: String {
        replacing(/Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/, with: "")
    }
}
