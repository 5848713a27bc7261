// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// The pages of a list, each asked for when the one before is dealt with.
    ///
    /// ```swift
    /// let list = api.get("/photos").query("size", 50)
    /// let pages = list.pages { call in
    ///     let page: PhotoPage = try await call.value()
    ///     return (page.photos, next: page.cursor.map { list.query("after", $0) })
    /// }
    /// for try await photos in pages { show(photos) }
    /// ```
    ///
    /// Nothing is sent before the first page is asked for, nor after the loop is left.
    ///
    /// - Parameter load: sends a call, this one at first, and gives what is on the page, and the call for the next page:
    ///   from a cursor, from a number, from a field `Link`. Nil after the last one. What it throws ends the pages.
    public func pages<Page: Sendable>(
        _ load: @escaping @Sendable (Call) async throws -> (Page, next: Call?)
    ) -> Pages<Page> {
        Pages(first: self, load: load)
    }
}

/// The pages of a list, see ``Call/pages(_:)``. Each loop begins with the first one.
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page

    let first: Call
    let load: @Sendable (Call) async throws -> (Page, next: Call?)

    /// Starts with the first page; nothing is sent yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(call: first, load: load)
    }

    /// Iterates over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil after the last page, and after an error.
        var call: Call?
        let load: @Sendable (Call) async throws -> (Page, next: Call?)

        /// The next page; nil after the last one.
        ///
        /// - Throws: what the page's call throws, and what is made of its response.
        public mutating func next() async throws -> Page? {
            guard let call else { return nil }
            self.call = nil
            let (page, next) = try await load(call)
            self.call = next
            return page
        }
    }
}
