import TachogramCore

/// The values that people entered, as all edits determine them in any order: per field, the last edit wins, and a deletion beats
/// every edit.
package struct EditBook: Hashable, Sendable {
  /// The values of one field.
  package struct History: Hashable, Sendable {
    /// The value that holds.
    package fileprivate(set) var winner: Edit
    /// The values that were replaced, the latest first; at most `mostLosing`.
    package fileprivate(set) var losing: [Edit] = []

    /// All values, the latest first.
    package var edits: [Edit] { [winner] + losing }

    /// The value that holds, or `nil` if it was removed.
    package var value: String? { if case .set(_, let value) = winner.change { value } else { nil } }
  }

  /// What an edit changed.
  package enum Outcome: Hashable, Sendable {
    /// The edit holds.
    case applied
    /// A later edit holds; this one is kept.
    case lost
    /// The target is deleted.
    case targetDeleted
    /// The edit was known.
    case known
    /// The edit is from more than a day ahead, and waits.
    case quarantined
  }

  /// The number of replaced values that are kept of a field.
  package static let mostLosing = 32

  private var fields: [EditTarget: [EditField: History]] = [:]
  /// The time of the latest deletion of each deleted target.
  package private(set) var deleted: [EditTarget: HybridTime] = [:]
  /// The edits from more than a day ahead. They are reported.
  package private(set) var quarantined: Set<Edit> = []

  package init() {}

  /// Adds an edit. `isClockSynchronised` is whether civil time of this station can be trusted; if not, nothing is quarantined.
  @discardableResult
  package mutating func add(_ edit: Edit, at now: WallTime, isClockSynchronised: Bool) -> Outcome {
    switch edit.change {
    case .delete:
      // A deletion beats every edit, so its time has no influence.
      if let known = deleted[edit.target], known >= edit.time { return .known }
      deleted[edit.target] = edit.time
      fields[edit.target] = nil
      quarantined = quarantined.filter { $0.target != edit.target }
      return .applied
    case .set(let field, _):
      guard deleted[edit.target] == nil else { return .targetDeleted }
      if isClockSynchronised, HybridClock.isAhead(edit.time, of: now) {
        return quarantined.insert(edit).inserted ? .quarantined : .known
      }
      quarantined.remove(edit)
      return set(edit, field)
    }
  }

  private mutating func set(_ edit: Edit, _ field: EditField) -> Outcome {
    guard var history = fields[edit.target]?[field] else {
      fields[edit.target, default: [:]][field] = History(winner: edit)
      return .applied
    }
    guard history.winner != edit, !history.losing.contains(edit) else { return .known }
    let wins = Self.isBefore(history.winner, edit)
    history.losing.append(wins ? history.winner : edit)
    if wins { history.winner = edit }
    history.losing = Array(history.losing.sorted { Self.isBefore($1, $0) }.prefix(Self.mostLosing))
    fields[edit.target]?[field] = history
    return wins ? .applied : .lost
  }

  /// Decides again which edits are quarantined, after time has passed or the clock was synchronised. Returns the edits that were
  /// quarantined and hold now.
  package mutating func review(at now: WallTime, isClockSynchronised: Bool) -> [Edit] {
    let waiting = quarantined
    let all = fields.values.flatMap { $0.values.flatMap(\.edits) } + waiting
    (fields, quarantined) = ([:], [])
    for edit in all { add(edit, at: now, isClockSynchronised: isClockSynchronised) }
    return waiting.filter { edit in
      guard case .set(let field, _) = edit.change else { return false }
      return fields[edit.target]?[field]?.winner == edit
    }.sorted { $0.time < $1.time }
  }

  /// Removes the quarantined edits that their author made again as `edit`, after its clock was set. Returns them.
  package mutating func discardQuarantined(madeAgainAs edit: Edit) -> [Edit] {
    guard !quarantined.isEmpty, !quarantined.contains(edit), case .set(let field, _) = edit.change else { return [] }
    let discarded = quarantined.filter { waiting in
      guard case .set(field, _) = waiting.change else { return false }
      return waiting.target == edit.target && waiting.time.station == edit.time.station
    }
    quarantined.subtract(discarded)
    return Array(discarded)
  }

  /// Removes the values of a field for which `isGone` holds. Returns the value that holds now in place of one of them, if there is one.
  package mutating func forget(_ field: EditField, of target: EditTarget, where isGone: (Edit) -> Bool) -> Edit? {
    guard let history = fields[target]?[field] else { return nil }
    let left = history.edits.filter { !isGone($0) }
    guard let winner = left.first else {
      fields[target]?[field] = nil
      if fields[target]?.isEmpty == true { fields[target] = nil }
      return nil
    }
    fields[target]?[field] = History(winner: winner, losing: Array(left.dropFirst()))
    return winner == history.winner ? nil : winner
  }

  /// Removes all values. What is deleted stays deleted.
  package mutating func forgetValues() { (fields, quarantined) = ([:], []) }

  /// Returns the values of a field, or `nil` if nothing was entered.
  package func history(_ field: EditField, of target: EditTarget) -> History? { fields[target]?[field] }

  /// The fields of which a value was replaced, in the order of their targets.
  package var replaced: [(field: EditField, history: History)] {
    fields.sorted { $0.key < $1.key }.flatMap { _, fields in
      fields.filter { !$0.value.losing.isEmpty }.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value) }
    }
  }

  /// Returns the targets of a kind that have values. The cost is that of all targets.
  package func targets(_ kind: EditTarget.Kind) -> [EditTarget] { fields.keys.filter { $0.kind == kind }.sorted() }

  /// Returns the value of a field that holds, or `nil` if there is none.
  package func value(_ field: EditField, of target: EditTarget) -> String? {
    guard case .set(_, let value) = fields[target]?[field]?.winner.change else { return nil }
    return value
  }

  /// Orders edits of a field. Two of one station at the same time, which only a faulty station makes, are ordered by their
  /// values.
  private static func isBefore(_ left: Edit, _ right: Edit) -> Bool {
    guard left.time == right.time, case .set(_, let one) = left.change, case .set(_, let other) = right.change else {
      return left.time < right.time
    }
    return (one ?? "") < (other ?? "") || one == nil && other != nil
  }
}
