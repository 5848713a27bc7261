// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A book for sale.
public struct Book: Codable, Sendable, Hashable, Identifiable {
    /// Its number.
    public var id: String
    /// Its title.
    public var title: String
    /// The price of a copy.
    public var price: Double
    /// The number of copies in stock.
    public var stock: Int
}

/// A page of a list of books.
public struct Page: Codable, Sendable, Hashable {
    /// Its number, starting at 1.
    public var page: Int
    /// The number of pages.
    public var pages: Int
    /// The books on it.
    public var books: [Book]
}

/// An order of a book.
public struct Order: Codable, Sendable, Hashable, Identifiable {
    /// Its number.
    public var id: Int
    /// Its status: pending, packed, or shipped.
    public var status: String
    /// The total price.
    public var total: Double
    /// The number of its parcel, once it is shipped.
    public var tracking: String?
}

/// A publisher of books.
public struct Publisher: Codable, Sendable, Hashable, Identifiable {
    /// Its number.
    public var id: String
    /// Its name.
    public var name: String
}

struct NewOrder: Encodable {
    var book: Book.ID
    var copies: Int
}

struct Prompt: Encodable {
    struct Message: Encodable {
        var role = "user"
        var content: String
    }

    var model = "shelf-1"
    var stream = true
    var messages: [Message]
}

struct Completion: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable {
            var content: String?
        }

        var delta: Delta
    }

    var choices: [Choice]

    init(_ event: String) throws {
        self = try JSONDecoder().decode(Completion.self, from: Data(event.utf8))
    }
}
