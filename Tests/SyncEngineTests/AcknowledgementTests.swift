import Repository
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// Authors keep sealed chunks until all other readers have them, also readers that have nothing to say.
@Suite("Acknowledgements")
struct AcknowledgementTests {
  private func kept(_ station: TestStation) throws -> Int {
    try SyncOutbox(database: station.database).kept(1...UInt64(Int64.max)).count
  }

  @Test func testSilentReaders_SayOnceWhatTheyHave_AndAuthorsReleaseIt() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop", "phone"], in: store)
    for station in stations + stations { try await station.sync(store) }
    try stations[0].record()
    for station in stations + stations {
      #expect(try await station.sync(store).uploaded.count == 0 || station.name == "bedroom")
    }
    #expect(try kept(stations[0]) > 0)
    // An hour later.
    for station in stations { station.clockOffset = .seconds(3_700) }
    var count = 0
    for station in stations + stations { count += try await station.sync(store).uploaded.count }
    // An acknowledgement itself is acknowledged with the next thing that is said.
    #expect(try kept(stations[0]) <= 1)
    // Each reader said it once, and the author what it had not said of the others.
    #expect(count <= 3)
    // They do not answer each other for ever.
    for hour in 2...6 {
      for station in stations {
        station.clockOffset = .seconds(3_700 * hour)
        if hour == 4 { station.restart() }
        let pass = try await station.sync(store)
        #expect(hour == 2 || pass.uploaded.count == 0)
      }
    }
  }

  @Test func testSensor_DoesNotAcknowledge() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "gym"], in: store, sensors: ["gym"])
    for station in stations + stations { try await station.sync(store) }
    try stations[0].record()
    for station in stations + stations {
      station.clockOffset += .seconds(3_700)
      let pass = try await station.sync(store)
      #expect(station.name == "bedroom" || pass.uploaded.count == 0)
    }
  }
}
