/// The message with which Home Assistant reports that it started: devices and states are then announced again.
package enum HomeAssistantBirth {
  /// Returns the topic for a discovery prefix.
  package static func topic(prefix: String = HomeAssistantDevice.defaultPrefix) -> String { "\(prefix)/status" }

  /// Whether a received message says so.
  package static func isBirth(
    topic: String, payload: [UInt8], prefix: String = HomeAssistantDevice.defaultPrefix
  ) -> Bool {
    topic == Self.topic(prefix: prefix) && payload == Array("online".utf8)
  }
}
