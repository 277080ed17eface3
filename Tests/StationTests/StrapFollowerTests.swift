import BlueZ
import Logging
import Presentation
import Recording
import Repository
import Sessions
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

@Suite("Straps that the station follows")
struct StrapFollowerTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let strap = KnownStrap(
    address: BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random), name: "Zebra strap", advertisedName: nil,
    isBonded: false, added: WallTime(microseconds: 1), person: nil, label: nil)

  init() throws {
    folder = try TemporaryFolder()
    database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
  }

  /// A follower as at the start of a station. Its source is not started.
  private func follower() -> StrapFollower {
    StrapFollower(
      radio: BlueZRadioSource(BlueZSourceOptions(straps: []), time: ManualTimeSource()), database: database,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func testStationWithoutStraps_FollowsAny() async throws {
    let follower = follower()
    await follower.follow([]) { names in #expect(names.name(0, nil) == "any strap") }
    #expect(await follower.followed.map(\.selector) == [.any])
    #expect(!PairedMark(database: database.path).isSet)
  }

  @Test func testStrapThatWasPaired_IsFollowedAtOnce() async throws {
    let follower = follower()
    await follower.follow([]) { _ in }
    await follower.release(strap.address)
    #expect(await follower.followed.isEmpty)
    try StrapRepository(database: database).remember(strap)
    await follower.resume()
    #expect(await follower.followed.map(\.selector) == [.address(strap.address)])
  }

  @Test func testLastStrapThatIsForgotten_IsNotRecordedAgain_EvenAfterAStart() async throws {
    let repository = StrapRepository(database: database)
    try repository.remember(strap)
    let first = follower()
    await first.follow([]) { _ in }
    #expect(await first.followed.map(\.selector) == [.address(strap.address)])
    #expect(PairedMark(database: database.path).straps.map(\.address) == [strap.address])
    try repository.forget(strap)
    for follower in [first, follower()] {
      await follower.follow([]) { _ in }
      #expect(await follower.followed.isEmpty)
    }
    #expect(PairedMark(database: database.path).isSet && PairedMark(database: database.path).straps.isEmpty)
    // It is followed when it is paired again.
    try repository.remember(strap)
    await first.follow([]) { _ in }
    #expect(await first.followed.map(\.selector) == [.address(strap.address)])
  }
}
