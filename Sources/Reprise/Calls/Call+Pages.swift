// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Returns the pages of a list. Each page is requested after the previous one was processed.
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
    /// Nothing is sent before the first page is requested, or after you leave the loop.
    ///
    /// - Parameter load: A closure that sends a call and returns the page and the call for the next page, for example
    ///   from a cursor, a page number, or a Link field. It first receives this call. After the last page, it returns
    ///   nil for the next call. If it throws, the sequence ends with that error.
    public func pages<Page: Sendable>(
        _ load: @escaping @Sendable (Call) async throws -> (Page, next: Call?)
    ) -> Pages<Page> {
        Pages(first: self, load: load)
    }
}

/// An asynchronous sequence of the pages of a list. Each loop starts at the first page. See ``Call/pages(_:)``.
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page

    let first: Call
    let load: @Sendable (Call) async throws -> (Page, next: Call?)

    /// Returns an iterator that starts at the first page. Nothing is sent yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(call: first, load: load)
    }

    /// An iterator over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The call for the next page. Nil after the last page and after an error.
        var call: Call?
        let load: @Sendable (Call) async throws -> (Page, next: Call?)

        /// Returns the next page, or nil after the last one.
        ///
        /// - Throws: The error of the closure that loads the page.
        public mutating func next() async throws -> Page? {
            guard let call else { return nil }
            self.call = nil
            let (page, next) = try await load(call)
            self.call = next
            return page
        }
    }
}
