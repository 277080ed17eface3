import TachogramCore

/// The stored persons and straps.
struct GlanceDirectory: Sendable {
  var persons: Set<String> = []
  var straps: [KnownStrap] = []

  /// Whether there is the person or the strap.
  func holds(_ subject: GlanceSubject) -> Bool {
    switch subject {
    case .person(let name): persons.contains(name)
    case .strap(let address): straps.contains { $0.address.matches(address) }
    case .nobody: true
    }
  }
}
