import DBus
import Synchronization

/// Receives the values of a characteristic as `BlueZClient` does.
struct SignalReceiver {
  private static let rule = DBusMatchRule(sender: "org.bluez", interface: "org.freedesktop.DBus.Properties")

  let address: String
  let count: Int

  func subscribe() async throws {
    let connection = try await DBusConnection.open(.address(address))
    let received = Atomic<Int>(0)
    let (done, end) = AsyncStream<Void>.makeStream()
    let subscription = try await connection.subscribe(Self.rule) { [count] signal in
      guard Self.isValue(signal) else { return }
      if received.add(1, ordering: .relaxed).newValue == count { end.finish() }
    }
    try Bench.report("ready")
    for await _ in done {}
    try Bench.report("done")
    try Bench.waitForEndOfInput()
    subscription.cancel()
  }

  func stream() async throws {
    let connection = try await DBusConnection.open(.address(address))
    let signals = try await connection.signals(Self.rule)
    try Bench.report("ready")
    var received = 0
    for await signal in signals where Self.isValue(signal) {
      received += 1
      if received == count { break }
    }
    try Bench.report("done")
    try Bench.waitForEndOfInput()
    connection.close()
  }

  private static func isValue(_ signal: DBusSignal) -> Bool {
    guard let value = signal.changedProperty("Value", of: "org.bluez.GattCharacteristic1"),
      let bytes = try? value.asBytes()
    else { return false }
    return bytes.count == 4 && !signal.path.text.isEmpty
  }
}
