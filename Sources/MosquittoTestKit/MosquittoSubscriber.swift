/// The program `mosquitto_sub`: a client that is independent of this package. It ends with this object.
package final class MosquittoSubscriber: Sendable {
  /// A message as the program prints it.
  package struct Message: Hashable, Sendable {
    package let topic: String
    package let payload: [UInt8]
    package let qos: Int
    package let isRetained: Bool

    package var text: String { String(decoding: payload, as: UTF8.self) }
  }

  // The end of the input ends the program. It blocks SIGTERM for most of the time, and may go on, so it is killed. Only its
  // debug output reveals that the broker accepted the subscription.
  private static let script = """
    exec 3<&0
    stdbuf -oL mosquitto_sub -d -h 127.0.0.1 -p "$1" -t "$2" -q 1 -W 850 -F 'message %t %x %q %r' 3<&- </dev/null 2>&1 &
    id=$!
    { read -r end; kill -KILL $id; } <&3 &
    wait $id
    echo ended
    """

  private let guardian: GuardedShell

  /// Starts the program and waits until its subscription is in effect.
  package init(_ broker: MosquittoBroker, topic: String) async throws {
    guardian = try GuardedShell(Self.script, ["\(broker.port)", topic])
    while let line = await guardian.nextLine() {
      if line.hasPrefix("Subscribed ") { return }
      if line == "ended" { break }
    }
    throw MosquittoFailure(description: "mosquitto_sub failed; install the Debian package mosquitto-clients")
  }

  /// Returns the next message, or `nil` when the program ended, which it does after 850 s.
  package func next() async -> Message? {
    while let line = await guardian.nextLine() {
      if line == "ended" { break }
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 5, words[0] == "message" else { continue }
      let digits = Array(words[2].utf8)
      let payload = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
        UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
      }
      return Message(
        topic: String(words[1]), payload: payload, qos: Int(words[3]) ?? -1, isRetained: words[4] == "1")
    }
    return nil
  }
}
