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

  package init(target: EditTarget, change: Change, time: HybridTime) {
    self.target = target
    self.change = change
    self.time = time
  }
}
