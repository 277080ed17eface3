/// The rules for topics (MQTT 3.1.1, section 4.7). Dollar topics, which brokers keep for themselves, are refused.
package enum MQTTTopicRules {
  /// The maximum number of levels. Mosquitto ends the connection of a client that uses more than 200, and the message would be
  /// sent again on the next one.
  package static let levelLimit = 100

  /// Whether messages can be published on `topic`.
  package static func isTopic(_ topic: String) -> Bool {
    isString(topic) && hasFewLevels(topic) && !topic.isEmpty && !topic.hasPrefix("$")
      && !topic.utf8.contains { $0 == 0x23 || $0 == 0x2B }
  }

  /// Whether `filter` is a valid subscription: `+` stands for a whole level, `#` for the last ones.
  package static func isFilter(_ filter: String) -> Bool {
    guard isString(filter), hasFewLevels(filter), !filter.isEmpty else { return false }
    let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
    return levels.indices.allSatisfy { index in
      let level = levels[index]
      if level.contains("#") { return level == "#" && index == levels.count - 1 }
      return !level.contains("+") || level == "+"
    }
  }

  private static func hasFewLevels(_ topic: String) -> Bool { topic.utf8.count { $0 == 0x2F } < levelLimit }

  /// Whether `text` fits in a packet: no control characters and noncharacters, at most 65,535 bytes.
  package static func isString(_ text: String) -> Bool {
    text.utf8.count <= 65535
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) && !scalar.properties.isNoncharacterCodePoint
      }
  }
}
