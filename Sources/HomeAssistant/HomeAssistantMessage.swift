/// A message for Home Assistant.
package struct HomeAssistantMessage: Hashable, Sendable {
  /// A discovery topic.
  package let topic: String
  /// JSON in UTF-8, or empty to remove a device. To be retained, with quality of service 1.
  package let payload: [UInt8]
}
