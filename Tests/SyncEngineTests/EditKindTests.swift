import Sync
import Testing

@testable import Repository

struct EditKindTests {
  /// The database has the numbers of `EditTarget.Kind` without its module.
  @Test func testNumbersInTheDatabase_AreThoseOfEdits() {
    typealias Stored = SyncChangeTable.Kind
    let pairs: [(EditTarget.Kind, UInt8)] = [
      (.session, Stored.session), (.strap, Stored.strap), (.measurement, Stored.measurement),
      (.station, Stored.station), (.marker, Stored.marker), (.reading, Stored.reading),
      (.selection, Stored.selection),
    ]
    for (kind, number) in pairs { #expect(kind.number == number) }
  }
}
