/// One thing that a person entered or deleted.
package struct Edit: Hashable, Sendable {
  /// What was entered.
  package enum Change: Hashable, Sendable {
    /// A field has a new value, or none.
    case set(EditField, String?)
    /// The target is deleted, with all its fields.
    case delete
  }

  package let target: EditTarget
  package let change: Change
  /// The time and the station at which it was entered.
  package let time: HybridTime

  /// The value that was entered, or `nil` if it was removed.
  package var value: String? { if case .set(_, let value) = change { value } else { nil } }

  package init(target: EditTarget, change: Change, time: HybridTime) {
    self.target = target
    self.change = change
    self.time = time
  }
}
