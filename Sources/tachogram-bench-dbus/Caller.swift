import DBus
import Foundation

/// Measures calls to a method of the bus itself, one after the other and many at a time.
struct Caller {
  /// The number of concurrent calls.
  private static let window = 256

  let address: String
  let count: Int

  func run() async throws {
    let connection = try await DBusConnection.open(.address(address))
    let call = DBusMethodCall(
      destination: "org.freedesktop.DBus", path: try DBusObjectPath(validating: "/org/freedesktop/DBus"),
      interface: "org.freedesktop.DBus", member: "NameHasOwner", arguments: [.string("org.bluez")])
    for _ in 0..<count / 20 { _ = try await connection.call(call) }
    var latencies: [Double] = []
    for _ in 0..<count / 5 {
      let start = ContinuousClock.now
      _ = try await connection.call(call)
      latencies.append(start.duration(to: .now) / .microseconds(1))
    }
    latencies.sort()
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.window {
        group.addTask { [count] in
          for _ in 0..<count / Self.window { _ = try await connection.call(call) }
        }
      }
      try await group.waitForAll()
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let report = [
      "medianMicroseconds": latencies[latencies.count / 2],
      "callsPerSecond": Double(count / Self.window * Self.window) / seconds,
    ]
    try Bench.report(String(decoding: JSONEncoder().encode(report), as: UTF8.self))
  }
}
