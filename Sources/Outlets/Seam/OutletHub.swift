/// Sends what happens to all outlets, in constant time for each.
package struct OutletHub: Sendable {
  /// An outlet with its mailbox.
  package struct Member: Sendable {
    package let outlet: any OutletProtocol
    package let mailbox: OutletMailbox
  }

  package let members: [Member]

  package init(_ outlets: [any OutletProtocol]) {
    members = outlets.map { Member(outlet: $0, mailbox: OutletMailbox(wantsBeats: $0.wantsBeats)) }
  }

  /// Whether nobody receives anything, so that nothing need be prepared.
  package var isEmpty: Bool { members.isEmpty }

  package func send(_ reading: OutletReading, _ beats: [OutletBeat] = []) {
    for member in members { member.mailbox.put(reading, beats) }
  }

  package func forget(_ last: OutletReading) {
    for member in members { member.mailbox.forget(last) }
  }
}
