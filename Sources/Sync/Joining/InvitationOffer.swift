import TachogramCore

/// An invitation at the station that made it: valid once, for ten minutes on a clock that does not step.
package struct InvitationOffer: Sendable {
  /// The time for which an invitation is valid.
  package static let validity: Duration = .seconds(600)

  package let invitation: Invitation
  private let expiry: MonotonicTime
  private var isUsed = false

  package init(to space: SpaceID, by inviter: StationID, at now: MonotonicTime) {
    invitation = Invitation(to: space, inviter: inviter)
    expiry = now.advanced(by: Self.validity)
  }

  /// Opens a request. After the first valid one, the invitation is used. A request that was not made with the secret does not use
  /// it.
  package mutating func open(
    _ request: [UInt8], keys: StationKeys, at now: MonotonicTime
  ) throws(JoinFailure) -> JoinRequest {
    guard !isUsed, now < expiry else { throw .expired }
    let opened = try JoinRequest(sealed: request, invitation: invitation, keys: keys)
    isUsed = true
    return opened
  }
}
