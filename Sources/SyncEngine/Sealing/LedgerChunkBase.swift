import Sync
import TachogramCore

extension LedgerChunk {
  /// The values with which a session began, as edits that any other one replaces. A change of one field must not repeat the others,
  /// because it would replace what another station entered at the same time.
  func base(by author: StationID) -> [Edit] {
    guard entries.first?.sequence == 0 else { return [] }
    let time = HybridTime(wall: Edit.beginning, counter: 0, station: author)
    let target = EditTarget(kind: .session, id: session.id)
    return [(EditField.name, session.label), (.person, session.person)].compactMap { field, value in
      value.map { Edit(target: target, change: .set(field, $0), time: time) }
    }
  }
}

extension Edit {
  /// The time of the values with which sessions began.
  fileprivate static let beginning = WallTime(microseconds: .min)

  /// Whether it is a value with which a session began.
  package var isBase: Bool { time.wall == Self.beginning }
}
