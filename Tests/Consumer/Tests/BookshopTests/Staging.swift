// SPDX-License-Identifier: Apache-2.0

import Bookshop
import Foundation

/// Creates a client of the shop to record. A replay needs neither the address nor the key.
func makeShop() -> Bookshop {
    let environment = ProcessInfo.processInfo.environment
    return Bookshop(
        environment["BOOKSHOP_URL"] ?? "https://api.example.com/v1",
        key: environment["BOOKSHOP_KEY"] ?? "none"
    )
}
