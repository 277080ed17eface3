/// Sends beats and readings in the Influx line protocol to a server, or appends them to a file.
package struct InfluxOutlet: OutletProtocol {
  private let options: InfluxOutletOptions
  private let sleep: @Sendable (Duration) async -> Void

  package var name: String {
    switch options.target {
    case .server: "influx"
    case .file: "influx-file"
    }
  }
  package var wantsBeats: Bool { true }

  /// Creates an outlet. `sleep` waits between batches.
  package init(
    _ options: InfluxOutletOptions,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  ) {
    (self.options, self.sleep) = (options, sleep)
  }

  package func run(_ mailbox: OutletMailbox, report: @escaping @Sendable (OutletReport) -> Void) async {
    let writer = InfluxWriter(options, report: report)
    let writing = Task { [sleep, interval = options.interval] in
      while !Task.isCancelled {
        await sleep(interval)
        if !Task.isCancelled { await writer.write() }
      }
    }
    while let delivery = await mailbox.next() { await writer.add(delivery) }
    writing.cancel()
    await writing.value
    await writer.write(within: .seconds(1))
  }
}
