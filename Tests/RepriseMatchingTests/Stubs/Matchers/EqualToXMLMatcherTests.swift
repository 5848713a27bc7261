// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import Testing

@Suite struct EqualToXMLMatcherTests {
    /// The values are WireMock's.
    @Test(arguments: [
        ("<a/>", "<a/>", true),
        ("<a>x</a>", "<a> x </a>", true),
        ("<a><b/><c/></a>", "<a><c/><b/></a>", true),
        ("<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>", false),
        ("<a><!-- c --><b/></a>", "<a><b/></a>", true),
        ("<a><![CDATA[x]]></a>", "<a>x</a>", true),
        ("<a>x<![CDATA[y]]></a>", "<a>xy</a>", true),
        ("<a x='1' y='2'/>", "<a y='2' x='1'/>", true),
        ("<a x='1'/>", "<a x='2'/>", false),
        ("<a/>", "<a x='2'/>", false),
        ("<a x='1'/>", "<a/>", false),
        ("<n:a xmlns:n='u'/>", "<a/>", true),
        ("<n:a xmlns:n='u'/>", "<m:a xmlns:m='v'/>", true),
        ("<a xmlns='u'/>", "<a/>", false),
        ("<a n:x='1' xmlns:n='u'/>", "<a x='1'/>", false),
        ("<a/>", "<b/>", false),
        ("<a>x</a>", "<a><x/></a>", false),
        ("<a>x<b/>y</a>", "<a>xy<b/></a>", false),
        ("<a><?pi d?></a>", "<a/>", false), ("<a/>", "<?p d?><a/>", false), ("<a/>", "<a/><?p d?>", false),
        ("<?p d?><a/>", "<a/>", false), ("<a/>", "<!--c--><a/><!--d-->", true),
        ("<a>x</a>", "<!DOCTYPE a><a>x</a>", true),
        ("<a>&lt;</a>", "<a><![CDATA[<]]></a>", true),
        ("<a>é</a>", "<a>&#233;</a>", true),
        ("<a/>", "<a></a> ", true),
        ("<a/>", "x<a/>", false),
        ("<a/>", " <a/>", true),
        ("<a/>", " <?xml version='1.0'?><a/>", false),
        ("<a>x  y</a>", "<a>x y</a>", false),
        ("<a>\n<b/>\n</a>", "<a><b/></a>", true),
        ("<a><b/><b/></a>", "<a><b/></a>", false),
        ("<a><b/></a>", "<a><b/><b/></a>", false),
        ("<a><b/></a>", "<a><b/><c/></a>", false),
        ("<a> </a>", "<a/>", true),
        ("<a>x</a>", "<a/>", false),
        ("<a x=' 1 '/>", "<a x='1'/>", true),
        ("<a><b>1</b><b>2</b><c/></a>", "<a><b>1</b><c/><b>2</b></a>", true),
        ("<a/>", "<a", false),
        ("<a/>", "", false),
        ("<a><!-- c -->x<!-- d -->y</a>", "<a>xy</a>", true),
        ("<a>x</a>", "<a>X</a>", false),
        ("<a xmlns='u'/>", "<a xmlns='v'/>", false),
        ("<a xmlns='u'/>", "<a xmlns='u'/>", true),
        ("<a/>", "<a xmlns='u'/>", true),
        ("<n:a xmlns:n='u'/>", "<a xmlns='u'/>", true),
        ("<a xmlns='u'/>", "<n:a xmlns:n='u'/>", false),
        ("<a n:x='1' xmlns:n='u'/>", "<a m:x='1' xmlns:m='v'/>", false),
        ("<a n:x='1' xmlns:n='u'/>", "<a m:x='1' xmlns:m='u'/>", false),
        ("<a n:x='1' xmlns:n='u'/>", "<a n:x='1' xmlns:n='v'/>", true),
        ("<a x='1'/>", "<a n:x='1' xmlns:n='u'/>", false),
        ("<a/>", "<n:a xmlns:n='u'/>", true),
        ("<n:a xmlns:n='u'/>", "<n:b xmlns:n='u'/>", false),
        ("<a><n:b xmlns:n='u'/></a>", "<a><b/></a>", true),
        ("<a><b xmlns='u'/></a>", "<a><b/></a>", false),
        ("<a xmlns:n='u'/>", "<a/>", true),
        ("<a/>", "<a xmlns:n='u'/>", true),
        ("<a xmlns='u'><b/></a>", "<a xmlns='u'><b/></a>", true),
        ("<n:a xmlns:n='u'><n:b/></n:a>", "<a xmlns='u'><b/></a>", true),
        // WireMock fails at texts beside elements.
        ("<a>x<b/>y</a>", "<a>x<b/>y</a>", true), ("<a>x<b/>y</a>", "<a>x<b/>z</a>", false),
    ])
    func comparesElementsAttributesAndText(expected: String, found: String, matches: Bool) throws {
        #expect(try accepts(.equalToXML(expected), body: found) == matches)
    }

    /// The values are WireMock's.
    @Test(arguments: [
        ("<a>${xmlunit.ignore}</a>", "<a>x</a>", true),
        ("<a>${xmlunit.ignore}</a>", "<a/>", true),
        ("<a>${xmlunit.ignore}</a>", "<a><b/></a>", true),
        ("<a x='${xmlunit.ignore}'/>", "<a x='1'/>", true),
        ("<a x='${xmlunit.ignore}'/>", "<a/>", true),
        ("<a>${xmlunit.isNumber}</a>", "<a>1.5</a>", true),
        ("<a>${xmlunit.isNumber}</a>", "<a>x</a>", false),
        ("<a>${xmlunit.isNumber}</a>", "<a/>", false),
        ("<a>${xmlunit.isDateTime}</a>", "<a>2020-01-01T00:00:00Z</a>", true),
        ("<a>${xmlunit.isDateTime}</a>", "<a>2020-01-01</a>", true),
        ("<a>${xmlunit.matchesRegex([a-z]+)}</a>", "<a>abc</a>", true),
        ("<a>${xmlunit.matchesRegex(^b)}</a>", "<a>abc</a>", false),
        ("<a>${xmlunit.matchesRegex(b)}</a>", "<a>abc</a>", true),
        ("<a>${ xmlunit.ignore }</a>", "<a>q</a>", true),
        ("<a>${xmlunit.nope}</a>", "<a>q</a>", false),
        ("<a>x${xmlunit.ignore}</a>", "<a>xq</a>", false),
        ("<a><b>${xmlunit.ignore}</b><c/></a>", "<a><c/><b>1</b></a>", true),
        ("<a x='${xmlunit.isNumber}'/>", "<a x='12'/>", true),
        ("<a>${xmlunit.ignore}</a>", "<a><b/><c/></a>", false), ("<a>${xmlunit.ignore}</a>", "<a>x<b/></a>", false),
        ("<a><b>${xmlunit.ignore}</b></a>", "<a/>", false),
    ])
    func placeholdersMatchOtherText(expected: String, found: String, matches: Bool) throws {
        var options = ValueMatcher.XMLOptions()
        options.enablesPlaceholders = true
        #expect(try accepts(.equalToXML(expected, options), body: found) == matches)
    }

    /// The part of the comparisons that differ: those of the name, the number of attributes, and the children of each
    /// element, and of each attribute and text.
    @Test(
        arguments: [
            ("<a>1</a>", "<a>2</a>", 1.0 / 4), ("<a x='1'/>", "<a x='2'/>", 1.0 / 4), ("<a x='1'/>", "<a/>", 2.0 / 4),
            ("<a/>", "<a x='1'/>", 1.0 / 3), ("<a><b/></a>", "<a/>", 2.0 / 4), ("<a/>", "<a><b/></a>", 1.0 / 3),
            ("<a/>", "<b/>", 1.0 / 3), ("<a/>", "<?p d?><a/>", 1.0 / 4), ("<?p d?><a/>", "<?q d?><a/>", 1.0 / 6),
            ("<?p d?><a/>", "<?p e?><a/>", 1.0 / 6), ("<a xmlns='u'/>", "<a xmlns='v'/>", 1.0 / 4),
            ("<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>", 2.0 / 11), ("<a/>", "x", 1),
            ("<a>1</a>", "<a> 1 </a>", 0),
        ] as [(String, String, Double)]
    )
    func distanceIsThePartThatDiffers(expected: String, found: String, distance: Double) throws {
        var request = StubRequest()
        request.body = [.equalToXML(expected)]
        let verdicts = try CompiledStubRequest(request).verdicts(on: facts("POST", "/", body: found))
        #expect(verdicts.map(\.distance) == [distance])
    }

    /// An element that has no equal one is compared with one that is left.
    @Test func distanceInAnyOrderIsThatOfElementsLeft() throws {
        var request = StubRequest()
        request.body = [Self.anyOrder("<a><b>1</b><b>2</b></a>")]
        let facts = facts("POST", "/", body: "<a><b>2</b><b>3</b></a>")
        #expect(try CompiledStubRequest(request).verdicts(on: facts).map(\.distance) == [1.0 / 9])
    }

    @Test(arguments: ["", "strict", "Any"]) func otherNamespaceAwarenessIsRefused(name: String) {
        var options = ValueMatcher.XMLOptions()
        options.namespaceAwareness = name
        #expect(throws: StubMatcherProblem.self) { try accepts(.equalToXML("<a/>", options), body: "<a/>") }
    }

    @Test func placeholdersHaveOtherDelimiters() throws {
        var options = ValueMatcher.XMLOptions()
        options.enablesPlaceholders = true
        options.placeholderOpening = "\\[\\["
        options.placeholderClosing = "]]"
        #expect(try accepts(.equalToXML("<a>[[xmlunit.ignore]]</a>", options), body: "<a>1</a>"))
        #expect(try !accepts(.equalToXML("<a>${xmlunit.ignore}</a>", options), body: "<a>1</a>"))
        // Java takes a brace that closes nothing as text.
        options.placeholderOpening = "#\\{"
        options.placeholderClosing = "}"
        #expect(try accepts(.equalToXML("<a>#{xmlunit.ignore}</a>", options), body: "<a>1</a>"))
    }

    @Test(arguments: [
        ("ATTR_VALUE", "<a x='1'/>", "<a x='2'/>", true), ("TEXT_VALUE", "<a>1</a>", "<a>2</a>", true),
        ("ELEMENT_TAG_NAME", "<a/>", "<b/>", true), ("CHILD_NODELIST_LENGTH", "<a><b/></a>", "<a><b/><b/></a>", true),
        ("CHILD_NODELIST_LENGTH", "<a>1</a>", "<a/>", false), ("CHILD_NODELIST_LENGTH", "<a/>", "<a>1</a>", true),
        ("CHILD_NODELIST_LENGTH", "<a><?p x?></a>", "<a/>", false),
        ("CHILD_NODELIST_LENGTH", "<a>1</a>", "<a><b/></a>", false), ("ATTR_NAME_LOOKUP", "<a x='1'/>", "<a/>", false),
        ("NAMESPACE_URI", "<a xmlns='u'/>", "<a xmlns='v'/>", true),
    ])
    func exemptedComparisonsAreLeftOut(kind: String, expected: String, found: String, matches: Bool) throws {
        var options = ValueMatcher.XMLOptions()
        options.exemptedComparisons = [kind]
        #expect(try accepts(.equalToXML(expected, options), body: found) == matches)
        #expect(try !accepts(.equalToXML(expected), body: found))
    }

    @Test(arguments: [
        ("STRICT", "<n:a xmlns:n='u'/>", "<m:a xmlns:m='u'/>", true), ("STRICT", "<n:a xmlns:n='u'/>", "<a/>", false),
        ("STRICT", "<a xmlns:n='u' n:x='1'/>", "<a xmlns:m='u' m:x='1'/>", true), ("NONE", "<n:a/>", "<n:a/>", true),
        ("NONE", "<n:a xmlns:n='u'/>", "<n:a xmlns:n='v'/>", false), ("NONE", "<n:a/>", "<a/>", false),
    ])
    func awarenessDecidesHowNamesCompare(awareness: String, expected: String, found: String, matches: Bool) throws {
        var options = ValueMatcher.XMLOptions()
        options.namespaceAwareness = awareness
        #expect(try accepts(.equalToXML(expected, options), body: found) == matches)
    }

    @Test func ignoresOrderOfElementsWithSameNameIfEnabled() throws {
        var options = ValueMatcher.XMLOptions()
        options.ignoresOrderOfSameNode = true
        let expected = "<a><b>1</b><b>2</b></a>"
        #expect(try accepts(.equalToXML(expected, options), body: "<a><b>2</b><b>1</b></a>"))
        #expect(try !accepts(.equalToXML(expected, options), body: "<a><b>2</b><b>2</b></a>"))
    }

    @Test(arguments: [
        "<a", "", "x", "<a></b>", "<a/><b/>", "<a x='1' x='2'/>", "<a>&foo;</a>", "<a x=1/>", "<a>\u{1}</a>",
    ])
    func textThatIsNotXMLIsRejected(text: String) throws {
        #expect(throws: StubMatcherProblem.self) { try accepts(.equalToXML(text), body: "<a/>") }
        #expect(try !accepts(.equalToXML("<a/>"), body: text))
    }

    @Test func declaredEntitiesAreReadAsTheirTexts() throws {
        let body = "<!DOCTYPE a [<!ENTITY b 'xx'><!ENTITY c '&b;&b;'>]><a>&c;</a>"
        #expect(try accepts(.equalToXML("<a>xxxx</a>"), body: body))
        #expect(try accepts(.equalToXML(body), body: "<a>xxxx</a>"))
        // As in WireMock, a declaration that nothing refers to changes nothing.
        #expect(try accepts(.equalToXML("<a/>"), body: "<!DOCTYPE a [<!ENTITY b 'xx'>]><a/>"))
        let external = "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"
        #expect(try accepts(.equalToXML("<a/>"), body: external))
    }

    @Test func deepXMLIsNotXML() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(try !accepts(.equalToXML("<a/>"), body: deep + String(repeating: "</a>", count: 100_000)))
    }

    @Test func documentWithVeryManyPrefixesIsNotXML() throws {
        func document(_ count: Int) -> String {
            let declarations = (0..<count).map { " xmlns:p\($0)='u'" }
            let opened = stride(from: 0, to: count, by: 64).map {
                "<a" + declarations[$0..<min(count, $0 + 64)].joined() + ">"
            }
            return opened.joined() + String(repeating: "</a>", count: opened.count)
        }
        #expect(try accepts(.matchesXPath("/a"), body: document(1000)))
        #expect(try !accepts(.matchesXPath("/a"), body: document(1100)))
    }

    private static func anyOrder(_ xml: String) -> ValueMatcher {
        var options = ValueMatcher.XMLOptions()
        options.ignoresOrderOfSameNode = true
        return .equalToXML(xml, options)
    }

    private static func list(_ numbers: some Sequence<Int>, _ element: (Int) -> String) -> String {
        "<r>" + numbers.map(element).joined() + "</r>"
    }

    @Test func pairsManyElementsInAnyOrder() throws {
        let element = { (number: Int) in "<o><id>\(number)</id><t>x</t><t>\(number % 7)</t></o>" }
        let expected = Self.list(0..<500, element)
        #expect(try accepts(Self.anyOrder(expected), body: Self.list((0..<500).reversed(), element)))
        #expect(try !accepts(Self.anyOrder(expected), body: Self.list((1...500).reversed(), element)))
    }

    @Test(arguments: [("<a/>", "<b/>"), ("<a><b/><c>1</c></a>", "<a><b/><c>2</c></a>")])
    func pairingInAnyOrderTakesBoundedSteps(one: String, other: String) throws {
        var request = StubRequest()
        request.body = [Self.anyOrder(Self.list(0..<6000) { _ in one })]
        let compiled = try CompiledStubRequest(request)
        let facts = facts("POST", "/", body: Self.list(0..<6000) { _ in other })
        #expect(!compiled.matches(facts))
        #expect(facts.budget.refusals > 0)
        #expect(compiled.verdicts(on: facts).map(\.isUndecided) == [true])
    }

    @Test func pairingInAnyOrderEndsWithItsClient() throws {
        var request = StubRequest()
        request.body = [Self.anyOrder(Self.list(0..<6000) { _ in "<a/>" })]
        let facts = facts("POST", "/", body: Self.list(0..<6000) { _ in "<b/>" }, limit: .until { true })
        #expect(try !CompiledStubRequest(request).matches(facts))
        #expect(facts.isInterrupted)
    }
}
