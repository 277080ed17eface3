import TachogramCore
import Testing

struct ContentHashTests {
  private static func hash(_ text: String) -> ContentHash {
    var hash = ContentHash()
    hash.add(text.utf8)
    return hash
  }

  /// RFC 9923, appendix A: FNV-1a of 128 bits.
  @Test(arguments: [
    ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
    ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
  ])
  func testHash_IsThatOfTheStandard(text: String, digits: String) {
    #expect(String(Self.hash(text).value, radix: 16) == digits)
  }

  @Test func testInteger_IsItsBytesFromTheLeastSignificant() {
    var whole = ContentHash()
    whole.add(Int64(bitPattern: 0x0807_0605_0403_0201))
    var bytes = ContentHash()
    bytes.add([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(whole.value == bytes.value)
  }

  /// RFC 9562: version 8, and a variant of 8, 9, a or b.
  @Test(arguments: ["", "a", "foobar", "another"])
  func testUUID_HasItsVersionAndVariant(text: String) {
    let groups = Self.hash(text).uuidText.split(separator: "-")
    #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
    #expect(groups[2].first == "8")
    #expect("89ab".contains(groups[3].first ?? "-"))
  }
}
