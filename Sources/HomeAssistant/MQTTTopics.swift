/// The topics of a station and its straps.
package struct MQTTTopics: Hashable, Sendable {
  /// A command of a topic that a station subscribes to.
  package struct Command: Hashable, Sendable {
    /// The strap, as in the topic.
    package let strap: String
    /// A component that takes commands.
    package let component: StrapComponent
  }

  /// The first level of all topics of Tachogram.
  package static let root = "tachogram"
  /// The payload of a status topic.
  package static let online = "online"
  /// The payload of a status topic, and of the station's will.
  package static let offline = "offline"

  /// The level of the station.
  package let station: String

  /// `station` is any identifier; it is made safe.
  package init(station: String) { self.station = TopicName.make(station) }

  private var base: String { "\(Self.root)/\(station)" }

  /// Whether the station is connected: `online` or `offline`, retained. The will of the station is `offline` here.
  package var stationStatus: String { "\(base)/status" }

  /// Whether a strap is received: `online` or `offline`, retained.
  package func status(strap: String) -> String { "\(base)/\(TopicName.make(strap))/status" }

  /// The filter of `status` of all straps.
  package var statuses: String { "\(base)/+/status" }

  /// Returns the strap, as in the topic, of which `topic` is the status, or `nil` for another topic.
  package func parseStatus(_ topic: String) -> String? {
    guard let (strap, rest) = parse(topic), rest == ["status"] else { return nil }
    return strap
  }

  /// A `StrapState`, never retained.
  package func state(strap: String) -> String { "\(base)/\(TopicName.make(strap))/state" }

  /// A message a beat, never retained.
  package func beats(strap: String) -> String { "\(base)/\(TopicName.make(strap))/beats" }

  /// Commands for a component of a strap.
  package func command(strap: String, _ component: StrapComponent) -> String {
    "\(base)/\(TopicName.make(strap))/\(component.rawValue)/set"
  }

  /// The filter of all commands for the station.
  package var commands: String { "\(base)/+/+/set" }

  /// Returns what `command` would be the topic of, or `nil` for another topic.
  package func parseCommand(_ topic: String) -> Command? {
    guard let (strap, rest) = parse(topic), rest.count == 2, rest[1] == "set",
      let component = StrapComponent(rawValue: rest[0]), component.isCommand
    else { return nil }
    return Command(strap: strap, component: component)
  }

  /// Returns the strap that a topic of this station is about, and the levels after it, or `nil` for another topic.
  private func parse(_ topic: String) -> (strap: String, rest: [String])? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count > 3, levels[0] == Self.root, levels[1] == station, TopicName.isSafe(levels[2]) else {
      return nil
    }
    return (levels[2], Array(levels[3...]))
  }
}
