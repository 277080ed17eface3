import Repository
import TachogramCore
import Testing

@Suite("Known straps")
struct StrapRepositoryTests {
  private let repository: StrapRepository

  init() throws {
    repository = StrapRepository(database: try TachogramDatabase.inMemory())
  }

  private static func strap(_ number: UInt64, _ name: String) -> KnownStrap {
    KnownStrap(
      address: BluetoothAddress(value: 0xC000_0000_0000 + number, kind: .random), name: name, advertisedName: "HRM",
      isBonded: true, added: WallTime(microseconds: Int64(number)))
  }

  @Test func testRemembered_IsListedInOrder() throws {
    let straps = [Self.strap(1, "blue"), Self.strap(2, "red")]
    for strap in straps { try repository.remember(strap) }
    #expect(try repository.straps() == straps)
  }

  @Test func testSameName_GetsANumber() throws {
    try repository.remember(Self.strap(1, "HRM"))
    #expect(try repository.remember(Self.strap(2, "hrm")).name == "hrm 2")
    #expect(try repository.remember(Self.strap(3, "HRM")).name == "HRM 3")
  }

  @Test func testRememberedAgain_KeepsItsPlaceAndTakesWhatIsNew() throws {
    try repository.remember(Self.strap(1, "blue"))
    var again = Self.strap(1, "green")
    again.added = WallTime(microseconds: 99)
    again.isBonded = false
    try repository.remember(again)
    let straps = try repository.straps()
    #expect(straps.map(\.name) == ["green"])
    #expect(straps.map(\.isBonded) == [false])
    #expect(straps.map(\.added.microseconds) == [1])
  }

  @Test func testRename_RefusesATakenNameInAnyCase() throws {
    try repository.remember(Self.strap(1, "blue"))
    try repository.remember(Self.strap(2, "red"))
    #expect(throws: RepositoryError.strapNameTaken(name: "RED")) {
      try repository.rename(Self.strap(1, "blue"), to: "RED")
    }
    try repository.rename(Self.strap(1, "blue"), to: "BLUE")
    #expect(try repository.straps().map(\.name) == ["BLUE", "red"])
  }

  @Test func testForgotten_IsGone() throws {
    try repository.remember(Self.strap(1, "blue"))
    try repository.forget(Self.strap(1, "blue"))
    #expect(try repository.straps().isEmpty)
  }
}
