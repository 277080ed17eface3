import Repository
import Sync

/// The reason why a station cannot synchronise.
package enum SyncFailure: Error, Sendable {
  /// The station is not a member of a space.
  case noSpace
  /// The station is a member of a space already.
  case hasSpace
  /// The keys of the station are not there, or others than those of its space.
  case keysMissing(path: String)
  case otherKeys(path: String)
  case key(KeyFailure)
  case membership(MembershipFailure)
  case join(JoinFailure)
  case envelope(EnvelopeFailure)
  case chunk(ChunkFailure)
  case store(StoreFailure)
  case database(RepositoryError)
  /// What is stored of the state of synchronisation cannot be read.
  case damagedState(String)
  /// The text is not an invitation.
  case notAnInvitation
  /// No answer came from the station that invited.
  case noAnswer
  /// The store has no member records of the space.
  case spaceNotFound
  /// The store has nothing of the space, although this station has synchronised with it.
  case storeEmpty(String)
  /// A station cannot remove itself.
  case removesItself
  /// Another station with the same keys writes to the own log: the card was copied, or a backup of the keys is in use elsewhere.
  case copied
  /// The task was cancelled, as at the end of the program.
  case cancelled
}

extension SyncFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSpace: "this station is not a member of a space; run `tachogram sync init` or `tachogram sync join`"
    case .hasSpace: "this station is a member of a space already; `tachogram sync leave` ends that"
    case .keysMissing(let path):
      "the keys of this station are not in \(path); restore the file, or run `tachogram sync leave` and join again"
    case .otherKeys(let path):
      "\(path) has the keys of another station; restore the file, or run `tachogram sync leave` and join again"
    case .key(let failure): failure.description
    case .membership(.notMember):
      "this station was removed from the space; run `tachogram sync leave`, then join again"
    case .membership(let failure): failure.description
    case .join(let failure): failure.description
    case .envelope(let failure): failure.description
    case .chunk(let failure): failure.description
    case .store(let failure): failure.description
    case .database(let error): error.description
    case .damagedState(let detail): "the state of synchronisation is damaged: \(detail)"
    case .notAnInvitation: "this is not an invitation; copy the whole text that `tachogram sync invite` printed"
    case .noAnswer:
      "the station that invited did not answer; run `tachogram sync invite` there again and leave it running"
    case .spaceNotFound: "the store does not have the space of the invitation; compare the address of the store"
    case .storeEmpty(let address):
      "the store at \"\(address)\" has nothing of this space; is it mounted? If its contents are lost, run "
        + "`tachogram sync repair`"
    case .removesItself:
      "a station cannot remove itself; run `tachogram sync leave` here, or `tachogram sync remove` on another station"
    case .copied: "another station uses the keys of this one, as a copied card does"
    case .cancelled: "synchronisation was cancelled"
    }
  }

  /// Wraps the failures of parts.
  package init(_ error: any Error) {
    switch error {
    case let error as SyncFailure: self = error
    case is CancellationError, StoreFailure.cancelled: self = .cancelled
    case let error as RepositoryError: self = .database(error)
    case let error as StoreFailure: self = .store(error)
    case let error as MembershipFailure: self = .membership(error)
    case let error as KeyFailure: self = .key(error)
    case let error as JoinFailure: self = .join(error)
    case let error as EnvelopeFailure: self = .envelope(error)
    case let error as ChunkFailure: self = .chunk(error)
    default: self = .damagedState("\(error)")
    }
  }
}
