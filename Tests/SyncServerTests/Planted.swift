import Sync

/// Spaces and places for tests.
enum Planted {
  static let space = SpaceID(digest: ContentDigest(of: [1]))
  static let otherSpace = SpaceID(digest: ContentDigest(of: [2]))

  static func log(_ kind: StoreLog.Kind = .chunks, of space: SpaceID = space) -> StoreLog {
    StoreLog(space: space, station: StationID(digest: ContentDigest(of: [3])), kind: kind)
  }

  static func key(_ sequence: UInt64, of space: SpaceID = space) -> StoreKey {
    StoreKey(log: log(of: space), sequence: sequence)
  }

  /// An object with a length and contents of its own.
  static func object(_ sequence: UInt64) -> StoreObject {
    StoreObject(
      key: key(sequence),
      bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: Int(sequence * 997 % 5000) + 1))
  }
}
