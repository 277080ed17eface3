/// The values that the overlay shows.
package enum Overlay {
  /// The raw value is the value in the query.
  package enum Field: String, Sendable, CaseIterable {
    case heartRate, rmssd, sdnn, stress, trace, name, battery
  }

  enum Font: String, CaseIterable {
    case system, rounded, serif, monospace
  }

  enum Alignment: String, CaseIterable {
    case left, center, right
  }

  enum Shadow: String, CaseIterable {
    case none, soft, strong
  }

  /// The names of colours that are accepted beside hexadecimal ones, which CSS defines.
  static let colours = [
    "aqua", "black", "blue", "coral", "crimson", "cyan", "fuchsia", "gold", "gray", "green", "hotpink", "indigo",
    "lime",
    "magenta", "maroon", "navy", "olive", "orange", "pink", "purple", "red", "silver", "teal", "tomato", "turquoise",
    "violet", "white", "yellow",
  ]
}
