import Capture
import Foundation
import TachogramTestKit
import Testing

struct CaptureErrorTests {
  private func failure(_ bytes: [UInt8]) throws -> CaptureError {
    try #require(try ReplayedCapture.failure(bytes))
  }

  // MARK: - Files that cannot be read

  @Test func testFolder_SaysWhatItIs() {
    #expect(throws: CaptureError.isDirectory(path: "/")) { try CaptureReplay(path: "/").plan() }
  }

  @Test func testMissingFile_SaysWhy() {
    #expect(throws: CaptureError.unreadable(path: "/nowhere/at all", code: ENOENT)) {
      try CaptureReplay(path: "/nowhere/at all").plan()
    }
  }

  @Test func testDevice_IsRefused() {
    #expect(throws: CaptureError.notAFile(path: "/dev/null", kind: .characterDevice)) {
      try CaptureReplay(path: "/dev/null").plan()
    }
  }

  @Test func testEmptyFile_SaysSo() throws {
    guard case .empty = try failure([]) else {
      Issue.record("it was read")
      return
    }
  }

  // MARK: - Formats

  @Test(arguments: ["{\"rr\": [800]}", "812\n790\n", "GIF89a", "BTSnooq", "\u{0}\u{0}\u{0}\u{0}"])
  func testFileOfNoFormat_ShowsItsFirstBytes(_ text: String) throws {
    guard case .unknownFormat(_, let firstBytes) = try failure(Array(text.utf8)) else {
      Issue.record("it was read")
      return
    }
    #expect(firstBytes == Array(text.utf8.prefix(8)))
  }

  @Test(arguments: [(FormatVariant.btsnoop[2], 8...15, CaptureFormat.btsnoop), (FormatVariant.pcap[0], 4...23, .pcap)])
  func testHeaderCutOff_IsABadHeader(_ variant: FormatVariant, lengths: ClosedRange<Int>, format: CaptureFormat) throws
  {
    for length in lengths {
      guard case .badHeader(_, format, _) = try failure(Array(variant.wrap(.session()).prefix(length))) else {
        Issue.record("\(length) bytes were read")
        return
      }
    }
  }

  @Test(arguments: [0...1, 6...7])
  func testDamagedName_IsReadAndCounted(_ damage: ClosedRange<Int>) throws {
    var file = CaptureWrapping.btsnoop(.session())
    for index in damage { file[index] ^= 0xFF }
    let replayed = try ReplayedCapture(file)
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.damages.map(\.offset) == [0])
  }

  @Test func testUnknownVersion_IsReadAndCounted() throws {
    var file = CaptureWrapping.btsnoop(.session())
    file[11] = 2
    let replayed = try ReplayedCapture(file)
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.damages.map(\.offset) == [8])
  }

  @Test(arguments: [0..<32])
  func testOneDamagedBitInPcapsName_IsReadAndCounted(_ bits: Range<Int>) throws {
    for variant in FormatVariant.pcap.prefix(4) {
      for bit in bits {
        var file = variant.wrap(.session())
        file[bit / 8] ^= 1 << (bit % 8)
        let replayed = try ReplayedCapture(file)
        #expect(replayed.values() == PacketScript.values)
        #expect(replayed.summary.damages.map(\.offset) == [0])
      }
    }
  }

  @Test func testOtherLinkType_SaysWhich() throws {
    let records = CaptureWrapping.records(.session(), linkType: 187)
    for (file, linkType) in [
      (CaptureWrapping.pcap(records, linkType: 1), 1), (CaptureWrapping.pcap(records, linkType: 161), 161),
      (PcapngBuilder.file(records, linkType: 147), 147), (CaptureWrapping.btsnoop(.session(), datalink: 1003), 1003),
    ] {
      guard case .unsupportedLinkType(_, UInt32(linkType)) = try failure(file) else {
        Issue.record("link type \(linkType) was read")
        continue
      }
    }
  }

  // MARK: - Captures without heart rate

  @Test func testNoRecords_SaysSo() throws {
    for variant in FormatVariant.representatives where variant.wrap(PacketScript()).count > 0 {
      #expect(try ReplayedCapture.absence(variant.wrap(PacketScript())) == .noRecords)
    }
  }

  @Test func testNoAttributes_SaysSo() throws {
    var script = PacketScript()
    script.connect()
    script.advertise("Strap")
    #expect(try ReplayedCapture.absence(CaptureWrapping.btsnoop(script)) == .noAttributeTraffic(records: 2))
  }

  @Test func testOtherAttributesOnly_SaysSo() throws {
    var script = PacketScript()
    script.connect()
    script.read(0x2A19, [87], handle: 0x20)
    #expect(try ReplayedCapture.absence(CaptureWrapping.btsnoop(script)) == .noHeartRateService(records: 3))
  }

  @Test func testEveryError_SaysWhatHappenedAndNamesTheFile() {
    let errors: [CaptureError] = [
      .unreadable(path: "a file", code: 13), .isDirectory(path: "a file"),
      .notAFile(path: "a file", kind: .socket), .madeByKernel(path: "a file"), .tooLong(path: "a file", limit: 1 << 20),
      .notSpooled(path: "a file", code: 28),
      .empty(path: "a file"), .unknownFormat(path: "a file", firstBytes: [0, 0xFF]),
      .badHeader(path: "a file", format: .pcap, problem: "why"), .unsupportedLinkType(path: "a file", linkType: 1),
      .noHeartRate(path: "a file", why: .unidentifiedHandles([0x10])),
    ]
    for error in errors {
      #expect(error.description.hasPrefix("a file: "))
      #expect(error.description.count > 25)
    }
    #expect("\(CaptureError.unknownFormat(path: "x", firstBytes: [0, 0xFF]))".contains("00 ff"))
    #expect(errors.last?.description.contains("0x10") == true)
  }

  // MARK: - Progress

  @Test func testProgress_NeverGoesBackOrBeyondOne() throws {
    // Given: enough records for several reports
    var script = PacketScript()
    script.connect()
    script.discover()
    for _ in 0..<50_000 { script.notify([0x06, 0x48]) }
    var shares: [Double] = []
    // When
    _ = try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      try CaptureReplay(path: path).plan { shares.append($0) }
    }
    // Then
    #expect(shares.count >= 3)
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { (0...1).contains($0) })
  }
}
