import Testing

@testable import Reports

struct ElementTests {
  private func text(_ element: Element) -> String {
    var text = ""
    element.write(to: &text)
    return text
  }

  @Test func testTextAndAttributes_AreEscaped() {
    let element = Element("p", ["title": #"a"b'<&>"#], #"</p><script>alert("1")</script>&amp;"#)
    #expect(
      text(element)
        == "<p title=\"a&quot;b&#39;&lt;&amp;&gt;\">&lt;/p&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"
        + "&amp;amp;</p>\n")
  }

  @Test func testControlCharacters_AreReplaced() {
    #expect(
      text(Element("p", [:], "a\u{0}\u{1B}[31m\u{9B}b\u{FFFE}\tc\nd"))
        == "<p>a\u{FFFD}\u{FFFD}[31m\u{FFFD}b\u{FFFD}\tc\nd</p>\n")
  }

  @Test func testEmptyElements_EndAsHTMLReadsThem() {
    #expect(text(Element("meta", ["charset": "utf-8"])) == "<meta charset=\"utf-8\"/>\n")
    #expect(text(Element("p")) == "<p></p>\n")
    #expect(text(Element("p", children: [Element("path", ["d": "M0 0"])])) == "<p><path d=\"M0 0\"/>\n</p>\n")
  }

  @Test(arguments: [
    (0.0, "0"), (-0.01, "0"), (0.05, "0.1"), (-0.25, "-0.3"), (12, "12"), (12.34, "12.3"), (.infinity, "0"),
    (.nan, "0"), (1e12, "0"),
  ])
  func testCoordinate_HasTenths(value: Double, expected: String) {
    #expect(PathData.number(value) == expected)
  }

  @Test func testLineOfOnePoint_IsADot() {
    var path = PathData()
    path.line(to: 1, 2)
    path.lift()
    path.line(to: 3, 4)
    path.line(to: 5, 6)
    path.lift()
    path.line(to: 7, 8)
    #expect(path.text == "M1 2h0M3 4L5 6M7 8h0")
  }
}
