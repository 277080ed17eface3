import Testing

@testable import DBus

struct SignatureTests {
  @Test(
    arguments: [
      ("", []), ("y", [.byte]), ("sb", [.string, .bool]), ("ay", [.array(.byte)]),
      ("a{sv}", [.dictionary(.string, .variant)]),
      ("(ni)", [.structure([.int16, .int32])]), ("aau", [.array(.array(.uint32))]),
      ("a{oa{sa{sv}}}", [.dictionary(.objectPath, .dictionary(.string, .dictionary(.string, .variant)))]),
      ("a(yv)h", [.array(.structure([.byte, .variant])), .fileDescriptor]),
      ("xtdgq", [.int64, .uint64, .double, .signature, .uint16]),
    ] as [(String, [DBusType])])
  func testValidSignature_parsesAndPrints(text: String, types: [DBusType]) throws {
    #expect(try DBusType.parse(text) == types)
    #expect(types.map(\.signature).joined() == text)
  }

  @Test(arguments: [
    "a", "(", ")", "()", "{sv}", "a{s}", "a{vs}", "a{sv", "a{svs}", "(i", "i)", "z", "e", "r", "m", "a{(i)s}", "é",
    "\0", "aa",
  ])
  func testInvalidSignature_isRefused(text: String) {
    #expect(throws: DBusError.invalid("signature \"\(text)\"")) { try DBusType.parse(text) }
  }

  @Test func testDepthAndLength_areThoseOfLibdbus() throws {
    for depth in 30...36 {
      let texts = [
        String(repeating: "a", count: depth) + "i",
        String(repeating: "(", count: depth) + "i" + String(repeating: ")", count: depth),
        String(repeating: "a{s", count: depth) + "i" + String(repeating: "}", count: depth),
        String(repeating: "a(", count: depth) + "i" + String(repeating: ")", count: depth),
      ]
      for text in texts { #expect(((try? DBusType.parse(text)) != nil) == DBusSyntax.isSignature(text), "\(text)") }
    }
    #expect(try DBusType.parse(String(repeating: "i", count: 255)).count == 255)
    #expect(throws: DBusError.self) { try DBusType.parse(String(repeating: "i", count: 256)) }
    #expect(throws: DBusError.self) { try DBusType.parse(String(repeating: "(", count: 1_000_000)) }
  }

  /// Every text of up to five of these codes: libdbus and this parser agree.
  @Test func testShortTexts_areJudgedAsByLibdbus() {
    let codes: [Character] = ["i", "s", "a", "(", ")", "{", "}", "v"]
    var texts = [""]
    for _ in 0..<5 {
      texts = texts.flatMap { text in codes.map { text + String($0) } }
      for text in texts where ((try? DBusType.parse(text)) != nil) != DBusSyntax.isSignature(text) {
        Issue.record("\(text)")
      }
    }
  }
}
