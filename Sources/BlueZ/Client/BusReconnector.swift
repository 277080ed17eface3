import DBus
import TachogramCore

/// Maintains a connection to the bus, reopening it after each loss.
struct BusReconnector: Sendable {
  /// The delays between attempts to reach the bus. The last one is repeated.
  private static let retries: [Duration] = [
    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4),
  ]

  let bus: DBusBus
  let time: any TimeSourceProtocol

  /// Calls `opened` with each client, runs `use` with it until the connection is lost, and calls `absent` after each loss or
  /// failed attempt. Returns when the task is cancelled.
  func run(
    opened: @Sendable (BlueZClient) -> Void, use: @escaping @Sendable (BlueZClient) async -> Void,
    absent: @Sendable () -> Void,
  ) async {
    var attempt = 0
    while !Task.isCancelled {
      if let client = try? await BlueZClient.open(bus) {
        attempt = 0
        opened(client)
        let using = Task { await use(client) }
        await withTaskCancellationHandler {
          await client.connection.waitUntilClosed()
        } onCancel: {
          client.close()
        }
        using.cancel()
        client.close()
      }
      absent()
      let wait = Self.retries[min(attempt, Self.retries.count - 1)]
      attempt += 1
      try? await time.sleep(until: time.now().monotonic.advanced(by: wait))
    }
  }
}
