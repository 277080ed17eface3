import BlueZ
import TachogramCore
import Testing

@testable import CommandProcess
@testable import Listening

/// Who is listened to: once a strap is paired, nobody else, whatever he calls himself.
struct StrapChoiceTests {
  private static let lasting = BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random)
  private static let changing = BluetoothAddress(value: 0x4ADE_ADBE_EF02, kind: .random)
  private static let assigned = BluetoothAddress(value: 0x001A_7DDA_7103, kind: .public)

  private static func known(
    _ address: BluetoothAddress, _ name: String, calls: String? = "HRM", isBonded: Bool = false,
  ) -> KnownStrap {
    KnownStrap(
      address: address, name: name, advertisedName: calls, isBonded: isBonded, added: WallTime(microseconds: 0))
  }

  private static func selectors(_ known: [KnownStrap], _ words: [String] = []) throws -> [StrapSelector] {
    try StrapChoice(known: known).straps(words).map(\.selector)
  }

  @Test func testWithoutAKnownStrap_AnyIsListenedTo() throws {
    #expect(try Self.selectors([]) == [.any])
    var choice = StrapChoice(known: [])
    choice.onlyKnown = true
    #expect(try choice.straps([]).isEmpty && choice.names([]).isEmpty)
  }

  @Test(arguments: [lasting, changing, assigned], [false, true])
  func testKnownStrap_IsTheOnlyOneAndKnownByItsAddress(address: BluetoothAddress, isBonded: Bool) throws {
    let straps = try StrapChoice(known: [Self.known(address, "Anna", isBonded: isBonded)]).straps([])
    #expect(straps == [BlueZSourceOptions.Strap(.address(address), wantsBond: isBonded)])
  }

  @Test(arguments: ["Anna", "anna", "HRM", "C8:DE:AD:BE:EF:01"])
  func testWordForAKnownStrap_MeansItsAddress(word: String) throws {
    let known = [Self.known(Self.lasting, "Anna"), Self.known(Self.assigned, "Ben", calls: "Other")]
    #expect(try Self.selectors(known, [word]) == [.address(Self.lasting)])
    #expect(StrapChoice(known: known).names([word]) == ["Anna"])
  }

  @Test func testNameOfTwoKnownStraps_IsRefused() {
    let known = [Self.known(Self.lasting, "Anna"), Self.known(Self.assigned, "Ben")]
    #expect(throws: CommandFailure.self) { try Self.selectors(known, ["HRM"]) }
  }

  @Test func testWordForAStranger_IsItsNameOrAddress() throws {
    let known = [Self.known(Self.lasting, "Anna")]
    #expect(
      try Self.selectors(known, ["Polar H10", "00:1A:7D:DA:71:03"]) == [
        .name("Polar H10"), .address(BluetoothAddress(value: 0x001A_7DDA_7103, kind: .public)),
      ])
  }

  @Test(arguments: [(lasting, false, true), (changing, false, false), (changing, true, true), (assigned, false, true)])
  func testStrapThatWillBeAStranger_IsToldOf(address: BluetoothAddress, isBonded: Bool, isRecognised: Bool) {
    let strap = Self.known(address, "Anna", isBonded: isBonded)
    #expect(strap.isRecognisable == isRecognised)
    #expect((StrapChoice.warning(strap) == nil) == isRecognised)
    if let warning = StrapChoice.warning(strap) {
      #expect(warning.contains("Anna") && warning.contains("--bond"))
    }
  }
}
