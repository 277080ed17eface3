import CommandProcess
import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

/// Whatever is in a file of nights, it is read or refused.
struct NightMutationTests {
  private static let lines = [
    "<", ">", "\"", "&", "\n", ",", "{", "]", "1e999", "-", "\u{0}", "T", "99999999999999999999",
  ]

  @Test(arguments: NightFormat.allCases.filter { [.csv, .openMHealth, .appleHealth].contains($0) })
  func testChangedFile_IsReadOrRefused(format: NightFormat) throws {
    let folder = try TemporaryFolder()
    let fixture = try NightFixture(beats: 60)
    try fixture.store([.wake, .light, .deep, .rem, .nrem, .unknown, .asleep, .wake])
    let original = try fixture.export(format)
    let path = folder.path("night")
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(contentsOf: Self.lines[place % Self.lines.count].utf8, at: place)
        default: bytes.insert(contentsOf: bytes[..<place].suffix(200), at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var importer = try NightImporter(database: .inMemory(), person: nil, start: nil)
      do {
        let found = try importer.importFile(path)
        #expect(!found.isEmpty)
      } catch let error as CommandFailure {
        #expect(error.code == .badInput && error.message.contains("night: "))
      }
    }
  }
}
