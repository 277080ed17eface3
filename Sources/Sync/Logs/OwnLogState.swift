/// The relation of a station's own log to what the store has of it.
package enum OwnLogState: Hashable, Sendable {
  /// The store has exactly what the station wrote.
  case current
  /// The store lacks these chunks. The station uploads them again if it still has them.
  case storeLacks(SequenceRanges)
  /// The store has chunks of this station that it does not know, as after its own backup was restored. The station continues
  /// after this one.
  case continueAfter(LogHead)
  /// Another station with the same keys wrote different chunks from this place, as a copied card does. This station becomes a new
  /// member.
  case copied(sequence: UInt64)

  /// Compares the last chunk that the station wrote with a verified listing of its own log from the start, without the station's
  /// own memory of it.
  package init(own: LogHead?, stored log: VerifiedLog) {
    let last = own?.sequence ?? 0
    if let own, let link = log.links[own.sequence], link.digest != own.digest {
      self = .copied(sequence: own.sequence)
    } else if let own, let next = log.links[own.sequence + 1], next.previous != own.digest {
      self = .copied(sequence: own.sequence + 1)
    } else if let head = log.head, head.sequence > last {
      self = .continueAfter(head)
    } else {
      var lacking = log.missing
      if log.last < last { lacking = lacking.union(SequenceRanges([(log.last + 1)...last])) }
      self = lacking.isEmpty ? .current : .storeLacks(lacking)
    }
  }
}
