import TachogramCore

/// A selection whose data of a category was deleted at a time, in the form in which other stations receive it.
package struct SyncScope: Hashable, Sendable {
  /// The kind of edits and noted changes whose target is the text of a scope.
  static let kind = Int64(SyncChangeTable.Kind.selection)

  package var selection: SessionSelection
  package var category: DataCategory
  /// The time of the deletion. What began later was not meant.
  package var time: WallTime

  package init(_ selection: SessionSelection, _ category: DataCategory, at time: WallTime) {
    (self.selection, self.category, self.time) = (selection, category, time)
  }

  /// Decodes the text of a scope. Returns `nil` for any other text.
  package init?(text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, values.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
    }
    func time(_ key: Substring) -> WallTime?? {
      guard let text = values[key] else { return .some(nil) }
      return Int64(text).map { .some(WallTime(microseconds: $0)) }
    }
    guard let name = values["category"], let category = DataCategory(rawValue: String(name)),
      let moment = values["time"].flatMap({ Int64($0) }), let from = time("from"), let to = time("to"),
      values.keys.allSatisfy(Self.keys.contains)
    else { return nil }
    var selection = SessionSelection()
    selection.session = values["session"].map(String.init)
    selection.person = values["person"].map(String.init)
    if let strap = values["strap"] {
      guard let address = BluetoothAddress(text: String(strap), kind: .public) else { return nil }
      selection.strap = address
    }
    if from != nil || to != nil {
      let range = (from ?? WallTime(microseconds: .min), to ?? WallTime(microseconds: .max))
      guard range.0 <= range.1 else { return nil }
      selection.range = range.0...range.1
    }
    self.init(selection, category, at: WallTime(microseconds: moment))
  }

  private static let keys: Set<Substring> = ["category", "time", "session", "person", "strap", "from", "to"]

  /// The text, a line for each property.
  package var text: String {
    var lines = ["category=\(category.rawValue)", "time=\(time.microseconds)"]
    if let session = selection.session { lines.append("session=\(session)") }
    // Names have no line ends.
    if let person = selection.person { lines.append("person=\(person)") }
    if let strap = selection.strap { lines.append("strap=\(strap)") }
    if let range = selection.range {
      lines += ["from=\(range.lowerBound.microseconds)", "to=\(range.upperBound.microseconds)"]
    }
    return lines.joined(separator: "\n")
  }

  /// The selection of what began before the deletion, or `nil` if nothing can have.
  package var meant: SessionSelection? {
    let first = selection.range?.lowerBound ?? WallTime(microseconds: .min)
    let last = min(selection.range?.upperBound ?? WallTime(microseconds: .max), time)
    guard first <= last else { return nil }
    var meant = selection
    meant.range = first...last
    return meant
  }

  /// Whether a stress level of a time, a person and a session was meant.
  func includes(level time: WallTime, person: String?, session: String?) -> Bool {
    // Levels of sessions are deleted with them.
    guard category == .stress || category == .sessions && session == nil, selection.strap == nil,
      let range = meant?.range, range.contains(time)
    else {
      return false
    }
    if let wanted = selection.session { return wanted == session }
    return selection.person.map { $0 == person } ?? true
  }
}
