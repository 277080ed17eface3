/// The broker of a client and how to connect to it.
package struct MQTTConfiguration: Sendable {
  /// A host name or an address.
  package var host: String
  /// The TCP port; by convention 1883, or 8883 with TLS.
  package var port: Int
  /// Unique among the clients of the broker: a broker disconnects the older of two clients with the same.
  package var clientID: String
  /// `nil` for an anonymous client.
  package var user: String?
  /// Needs a user name. It is readable on the way without TLS.
  package var password: String?
  /// `nil` for a connection without encryption.
  package var tls: MQTTTLS?
  /// The longest silence before the connection is tested, in seconds, at least 5.
  package var keepAlive = 30
  /// The message that the broker publishes when this client disappears.
  package var will: MQTTMessage?
  /// The limits of what waits for a connection.
  package var queue = MQTTQueueLimits()
  /// The longest that connecting may take, from the first packet to the broker's acceptance.
  package var connectTimeout = Duration.seconds(15)
  /// The longest that a connected broker may take to read what is sent, or to acknowledge it.
  package var responseTimeout = Duration.seconds(20)
  /// The largest message that is received, in bytes. A larger one ends the connection.
  package var largestMessage = 64 << 10

  package init(host: String, port: Int = 1883, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }

  /// Throws if no broker could ever be reached with these values.
  func validate() throws(MQTTError) {
    guard !host.isEmpty, host.utf8.count <= 255, !host.utf8.contains(0) else { throw .invalidHost }
    guard (1...65535).contains(port) else { throw .invalidPort(port) }
    guard !clientID.isEmpty, MQTTTopicRules.isString(clientID) else { throw .invalidClientID }
    guard (5...65535).contains(keepAlive) else { throw .invalidKeepAlive(keepAlive) }
    guard user != nil || password == nil else { throw .passwordWithoutUser }
    guard MQTTTopicRules.isString(user ?? ""), MQTTTopicRules.isString(password ?? "") else {
      throw .invalidCredentials
    }
    if let will, !MQTTTopicRules.isTopic(will.topic) || will.payload.count > 65535 { throw .invalidTopic(will.topic) }
    guard let tls else { return }
    guard (tls.certificate == nil) == (tls.key == nil) else { throw .certificateWithoutKey }
    for file in [tls.authorities, tls.certificate, tls.key].compactMap(\.self) where !MQTTFile.isReadable(file) {
      throw .unreadableFile(file)
    }
  }
}
