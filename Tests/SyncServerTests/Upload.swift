import Sync
import SyncHTTPStore

/// A station that uploads until it fails. Object n has contents of its own; every third is cut to 10 bytes afterwards.
struct Upload: Sendable {
  /// What the station knows when it ends.
  struct Ending: Sendable {
    /// The last object of which all changes are acknowledged.
    var acknowledged: UInt64
    var failure: StoreFailure?
  }

  /// The number of objects that may be stored beyond those that are acknowledged.
  static let batch: UInt64 = 7

  let log: StoreLog

  init(station: UInt8) {
    log = StoreLog(space: Planted.space, station: StationID(digest: ContentDigest(of: [station])), kind: .chunks)
  }

  static func isCut(_ sequence: UInt64) -> Bool { sequence.isMultiple(of: 3) }

  func object(_ sequence: UInt64) -> StoreObject {
    StoreObject(key: StoreKey(log: log, sequence: sequence), bytes: Planted.object(sequence).bytes)
  }

  /// Uploads what follows an object: one, then several at once, and so on. `report` is called after each acknowledgement.
  func run(_ store: HTTPStore, after start: UInt64, _ report: @Sendable () -> Void) async -> Ending {
    var ending = Ending(acknowledged: start)
    do throws(StoreFailure) {
      while true {
        let first = ending.acknowledged + 1
        let count = first.isMultiple(of: 2) ? 1 : Self.batch
        let objects = (first..<(first + count)).map(object)
        var rest = objects[...]
        while !rest.isEmpty {
          let results = try await store.put(Array(rest))
          rest = rest.dropFirst(results.count)
          // It was cut before the last failure.
          guard case .conflict(let existing)? = results.last else { continue }
          let object = objects[objects.count - rest.count - 1]
          if existing != Array(object.bytes.prefix(10)) || !Self.isCut(object.key.sequence) { return ending }
        }
        for object in objects where Self.isCut(object.key.sequence) {
          try await store.delete(object.key, keeping: 10)
        }
        ending.acknowledged += count
        report()
      }
    } catch {
      ending.failure = error
    }
    return ending
  }
}
