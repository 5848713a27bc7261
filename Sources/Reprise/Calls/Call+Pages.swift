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

    /// Returns the pages of a list whose responses link to the next page in their Link field (RFC 8288).
    ///
    /// ```swift
    /// for try await photo in api.get("/photos").pages(of: [Photo].self).elements { show(photo) }
    /// ```
    ///
    /// If the conformance of `Page` to `Decodable` is isolated to the main actor, call this method there.
    ///
    /// - Parameters:
    ///   - type: The type of a page.
    ///   - relation: The relation type of the link to the next page. See ``following(_:rel:)``.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        following relation: String = "next"
    ) -> Pages<Page> {
        pages { call in
            let (page, response) = try await call.value { response in (try response.decode(as: type), response) }
            return (page, next: call.following(response, rel: relation))
        }
    }
}

extension Call {
    /// Returns the pages of a list whose responses link to the next page, decoded on the main actor.
    ///
    /// This overload is for types whose conformance to `Decodable` is isolated to the main actor.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @MainActor
    public func pages<Page: Decodable>(of type: Page.Type, following relation: String = "next") -> Pages<Page> {
        Pages(first: self) { call in
            let (page, response) = try await call.value { response in (try response.decode(as: type), response) }
            return LoadedPage(page: page, next: call.following(response, rel: relation))
        }
    }
}

/// A page that was loaded on the main actor. `@unchecked` because only the iterator that asked for it has it.
private struct LoadedPage<Page>: @unchecked Sendable {
    let page: Page
    let next: Call?
}

extension Pages {
    fileprivate init(first: Call, loading: @escaping @MainActor @Sendable (Call) async throws -> LoadedPage<Page>) {
        self.init(first: first) { call in
            let loaded = try await loading(call)
            return (loaded.page, loaded.next)
        }
    }
}

/// An asynchronous sequence of the pages of a list. Each loop starts at the first page. See ``Call/pages(_:)``.
public struct Pages<Page>: AsyncSequence, Sendable {
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

extension Pages where Page: Sequence, Page.Element: Sendable {
    /// The elements of all pages, in order. A page is requested when the elements of the previous one were processed.
    public var elements: Elements { Elements(pages: self) }

    /// An asynchronous sequence of the elements of all pages. See ``Pages/elements``.
    public struct Elements: AsyncSequence, Sendable {
        /// An element of a page.
        public typealias Element = Page.Element

        let pages: Pages<Page>

        /// Returns an iterator that starts at the first page. Nothing is sent yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(pages: pages.makeAsyncIterator())
        }

        /// An iterator over the elements.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var pages: Pages<Page>.AsyncIterator
            var page: Page.Iterator?

            /// Returns the next element, or nil after the last one.
            ///
            /// - Throws: The error of the page that cannot be loaded.
            public mutating func next() async throws -> Page.Element? {
                while true {
                    if let element = page?.next() { return element }
                    guard let next = try await pages.next() else { return nil }
                    page = next.makeIterator()
                }
            }
        }
    }
}
