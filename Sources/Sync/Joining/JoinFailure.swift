/// The reason why a station cannot join a space.
package enum JoinFailure: Error, Hashable {
  /// The invitation is older than its validity, or was used.
  case expired
  /// The station that answers is not the one that invited.
  case otherInviter
  /// The message is not valid, or was not made with the secret of the invitation.
  case notInvited
  case format(FormatFailure)
  case membership(MembershipFailure)
  /// The member records do not make this station a member with the role that it asked for.
  case notAdded
  /// The inviter is not a reader of the space.
  case inviterNotReader
}

extension JoinFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expired: "the invitation is no longer valid; run `tachogram sync invite` again"
    case .otherInviter: "the station that answers is not the one that invited"
    case .notInvited: "the message was not made with this invitation; check its text"
    case .format(let failure): failure.description
    case .membership(let failure): failure.description
    case .notAdded: "the station that invited did not add this station to the space"
    case .inviterNotReader: "the station that invited is not a reader of the space"
    }
  }
}
