import GATT
import TachogramCore

/// The wanted measurement streams of a strap, across its links: each link has a session from the time at which its heart rate is
/// live.
struct SensorStreams {
  private let wanted: [SensorStreamRequest]
  private let timing: SensorStreamTiming
  private let report: @Sendable (PolarMeasurementType, SensorStreamFault, Duration?) -> Void
  private var session: (session: SensorSession, task: Task<Void, Never>)?
  /// The end of the previous session, which the next one waits for, because both use the same characteristics.
  private var ending: Task<Void, Never>?
  /// Whether the current link has been looked at.
  private var hasBegun = false

  /// `report` is called for a stream that does not run, with the delay until the next attempt, or `nil` if there is none on the
  /// current link.
  init(
    _ wanted: [SensorStreamRequest], timing: SensorStreamTiming,
    report: @escaping @Sendable (PolarMeasurementType, SensorStreamFault, Duration?) -> Void,
  ) {
    self.wanted = wanted
    self.timing = timing
    self.report = report
  }

  /// Begins the session of a live link. Has no effect if it has begun.
  mutating func begin(_ steps: StrapSteps, sink: LinkSink, reader: NotificationReader) {
    guard !hasBegun, !wanted.isEmpty else { return }
    hasBegun = true
    let (control, data) = steps.client.read { tree in
      (
        tree.characteristic(PolarMeasurementUUID.controlPoint, of: steps.device),
        tree.characteristic(PolarMeasurementUUID.data, of: steps.device)
      )
    }
    guard let control, let data else {
      for request in wanted { report(request.measurement, .noService, nil) }
      return
    }
    let session = SensorSession(
      wanted, control: control.path, data: data.path, steps: steps, reader: reader, timing: timing, sink: sink,
      report: report)
    let task = Task { [ending] in
      await ending?.value
      await session.run()
    }
    self.session = (session, task)
  }

  /// Ends the session with its link.
  mutating func end() {
    hasBegun = false
    guard let (session, task) = session else { return }
    self.session = nil
    task.cancel()
    ending = Task {
      await task.value
      await session.close()
    }
  }

  /// Ends the session, stops its streams on the strap, and returns the task that completes when they have stopped or the time
  /// limit is over. Streams that are not stopped keep the strap on until its battery is empty.
  mutating func stop() -> Task<Void, Never>? {
    guard let (session, task) = session else { return nil }
    self.session = nil
    task.cancel()
    let stopping = Task {
      await task.value
      await session.stop()
    }
    return Task { [limit = timing.stop] in
      await TimeLimit.wait(for: stopping, atMost: limit)
      stopping.cancel()
    }
  }
}
