/// The reason why a membership cannot be read or changed.
package enum MembershipFailure: Error, Hashable {
  /// The record that founded the space is not there, or not valid.
  case noFoundingRecord
  /// There are more records than `limit`.
  case tooManyRecords(limit: Int)
  /// The station is not a member that may change the membership.
  case notReader(StationID)
  /// The station is a member already, or was one.
  case knownStation(StationID)
  /// The station is not a member.
  case notMember(StationID)
  /// The recovery member cannot be removed.
  case recoveryMember
  /// The private key of an epoch is not the one that the membership names. Nothing may be uploaded.
  case wrongEpochKey(epoch: UInt32)
  /// The space was reset, and its data deleted, since this station saw it.
  case wasReset(generation: UInt32)
  /// The number of epochs or generations is exhausted.
  case exhausted
  case cannotSeal
  case key(KeyFailure)
}

extension MembershipFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFoundingRecord: "the record that founded the space is missing or not valid"
    case .tooManyRecords(let limit): "the space has too many member records; the limit is \(limit)"
    case .notReader(let station):
      "station \(station.words) may not change the members: it is a sensor, or was removed from the space"
    case .knownStation(let station):
      "station \(station.words) is or was a member; delete its keys and let it join with new ones"
    case .notMember(let station): "station \(station.words) is not a member, or was removed"
    case .recoveryMember: "the recovery key cannot be removed"
    case .wrongEpochKey(let epoch):
      "the key of epoch \(epoch) is not that of the space; nothing was uploaded. Join the space again"
    case .wasReset:
      "all data of the space was deleted from the store; nothing was uploaded. Run `tachogram sync reset --accept` to go on "
        + "with new data only, or `tachogram sync reset --upload` to send all that this station has again"
    case .exhausted: "the space cannot begin another epoch"
    case .cannotSeal: "a key cannot be sealed"
    case .key(let failure): failure.description
    }
  }
}
