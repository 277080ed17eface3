import Testing

@testable import BluetoothKernel

struct KeyFileTests {
  @Test(
    arguments: [
      ("", nil), ("[LE]\nMinConnectionInterval=6\n", 6), ("[LE]\r\n  MinConnectionInterval = 6 \r\n", 6),
      ("# [LE]\n[LE]\n#MinConnectionInterval=7\nMinConnectionInterval=8", 8),
      ("[LE]\nMinConnectionInterval=6\nMinConnectionInterval=9", 9),
      ("[LE]\nMinConnectionInterval=6\n[GATT]\nCache=always\n[LE]\nLatency=0\n", 6),
      ("[GATT]\nMinConnectionInterval=6", nil), ("[LE]\nMinConnectionInterval=0x10", 16),
      ("[LE]\nMinConnectionInterval=six", nil), ("[LE]\nMinConnectionInterval=", nil),
      ("[LE]\nminconnectioninterval=6", nil), ("[LE]\nMinConnectionInterval=99999999999999999999", nil),
    ] as [(String, Int?)])
  func testNumber_IsReadFromItsGroup(_ text: String, _ number: Int?) {
    let file = KeyFile(text)
    #expect(file.number("MinConnectionInterval", in: "LE") == number)
    #expect(file.malformedLine == nil)
  }

  @Test(arguments: [
    ("Key=1", 1), ("[LE]\nnonsense", 2), ("[LE]\n\n# note\n=1", 4), ("[LE", 1), ("[LE]\nA=1\nB\nC\n", 3),
  ])
  func testOtherLine_IsMalformed(_ text: String, _ line: Int) {
    #expect(KeyFile(text).malformedLine == line)
  }

  @Test func testValueWithEqualsSign_IsKeptWhole() {
    #expect(KeyFile("[General]\nName = a=b ").value("Name", in: "General") == "a=b")
  }
}
