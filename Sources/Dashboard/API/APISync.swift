import TachogramCore

extension API {
  /// The synchronisation with other stations.
  package struct SyncState: Encodable, Hashable, Sendable {
    /// A station of the space.
    package struct Member: Encodable, Hashable, Sendable {
      /// The first 64 bits of its identifier, as words.
      package let id: String
      package let name: String?
      /// `reader`, `sensor` or `recovery`.
      package let role: String
      package let isThisStation: Bool
      /// The time of its last chunk that arrived here.
      package let lastHeard: String?

      package init(id: String, name: String?, role: String, isThisStation: Bool, lastHeard: WallTime?) {
        (self.id, self.name, self.role, self.isThisStation) = (id, name, role, isThisStation)
        self.lastHeard = lastHeard.map(Timestamp.text)
      }
    }

    /// What is wrong with the store or with a log, and what to do.
    package struct Problem: Encodable, Hashable, Sendable {
      package let text: String
      package let advice: String?

      package init(text: String, advice: String?) {
        (self.text, self.advice) = (text, advice)
      }
    }

    /// Whether this station is a member of a space.
    package let isMember: Bool
    package var store: String?
    package var lastSync: String?
    package var members: [Member] = []
    /// The chunks that are not uploaded, and their length in bytes.
    package var waitingChunks = 0
    package var waitingBytes = 0
    package var problems: [Problem] = []

    /// The state of a station that is not a member of a space.
    package static let none = SyncState(isMember: false)

    package init(isMember: Bool) {
      self.isMember = isMember
    }
  }
}
