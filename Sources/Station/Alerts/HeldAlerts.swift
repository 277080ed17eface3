/// The alerts that were raised in quiet hours, and are sent afterwards if they still hold.
struct HeldAlerts {
  private var held: [AlertRules.Alert] = []

  /// Returns the alerts to send now. `new` are the alerts raised since the last call, and `current` all that hold.
  mutating func update(
    new: [AlertRules.Alert], current: [AlertRules.Alert], isQuiet: Bool
  ) -> [AlertRules.Alert] {
    held = held.filter(current.contains) + new
    guard !isQuiet else { return [] }
    defer { held = [] }
    return held
  }
}
