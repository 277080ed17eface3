/// The reason why a client cannot be made or a topic cannot be subscribed to.
package enum MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libmosquitto is not installed or lacks a function.
  case noLibrary
  case noResources
  case invalidHost
  case invalidPort(Int)
  case invalidClientID
  case invalidCredentials
  case passwordWithoutUser
  case invalidKeepAlive(Int)
  case invalidTopic(String)
  case tooManySubscriptions(limit: Int)
  case certificateWithoutKey
  case unreadableFile(String)

  package var description: String {
    switch self {
    case .noLibrary: "MQTT needs libmosquitto.so.1; install the package libmosquitto1"
    case .noResources: "no thread or file descriptor is available for MQTT"
    case .invalidHost: "the MQTT host is not a valid name or address"
    case .invalidPort(let port): "\(port) is not a valid MQTT port; use 1 to 65535"
    case .invalidClientID: "the MQTT client ID is empty or has control characters"
    case .invalidCredentials: "the MQTT user name or password has control characters or is too long"
    case .passwordWithoutUser: "an MQTT password needs a user name"
    case .invalidKeepAlive(let seconds): "\(seconds) s is not a valid MQTT keep-alive time; use 5 to 65535"
    case .invalidTopic(let topic): "\"\(topic)\" is not a valid MQTT topic"
    case .tooManySubscriptions(let limit): "an MQTT client has at most \(limit) subscriptions"
    case .certificateWithoutKey: "an MQTT client certificate needs a key, and a key a certificate"
    case .unreadableFile(let path): "\(path) cannot be read"
    }
  }
}
