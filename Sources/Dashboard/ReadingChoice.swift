/// The strap or person that a glance or the overlay shows.
package enum ReadingChoice: Hashable, Sendable {
  /// The first strap that is current, else the one that was received last.
  case automatic
  /// The strap of this name.
  case strap(String)
  /// The strap of this person, chosen like `automatic`.
  case person(String)

  /// Returns the chosen reading; `nil` if there is none.
  package func reading(of readings: [API.Reading]) -> API.Reading? {
    let candidates =
      switch self {
      case .automatic: readings
      case .strap(let name): readings.filter { $0.name == name }
      case .person(let name): readings.filter { $0.person == name }
      }
    if let current = candidates.first(where: \.isCurrent) { return current }
    // Times in UTC with milliseconds, in the order of their texts.
    return candidates.max { ($0.lastHeard ?? "", $1.strap) < ($1.lastHeard ?? "", $0.strap) }
  }
}
