import DBus
import TachogramCore

/// Keeps a connection to the bus: opens it, and opens it again each time that it was lost.
struct BusKeeper: Sendable {
  /// Waits between attempts to reach the bus, in microseconds, the last one again and again.
  private static let retries: [Int64] = [250_000, 500_000, 1_000_000, 2_000_000, 4_000_000]

  let bus: DBusBus
  let time: any TimeSourceProtocol

  /// Calls `opened` with each client, lets `use` run with it until the bus is lost, and calls `absent` each time that
  /// there is no bus. Returns when the task is cancelled.
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
      try? await time.sleep(until: time.now().monotonic.advanced(byMicroseconds: wait))
    }
  }
}
