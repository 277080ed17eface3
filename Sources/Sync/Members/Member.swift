/// A member of a space. Names of stations are edits, because member records are not sealed.
package struct Member: Hashable, Sendable {
  package let identity: StationIdentity
  package let role: MemberRole

  package var id: StationID { identity.id }

  package init(identity: StationIdentity, role: MemberRole) {
    self.identity = identity
    self.role = role
  }
}
