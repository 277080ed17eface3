import GATT
import TachogramCore

/// Which streams of a strap run on a link and when others are tried, as a value without effects.
struct SensorStreamPlan: Sendable {
  private enum Stage: Sendable {
    case waiting(until: MonotonicTime)
    /// `number` is that of the response to the start.
    case running(since: MonotonicTime, number: Int)
    case givenUp
  }

  private struct Stream: Sendable {
    let request: SensorStreamRequest
    var stage: Stage
    /// Whether a stop precedes the next start, because the stream may run.
    var mayRun = false
    var retries = SensorStreamRetries()
  }

  private var streams: [Stream] = []

  /// Creates a plan. Of several requests for a measurement, the first counts.
  init(_ wanted: [SensorStreamRequest], at now: MonotonicTime) {
    for request in wanted where !streams.contains(where: { $0.request.measurement == request.measurement }) {
      streams.append(Stream(request: request, stage: .waiting(until: now)))
    }
  }

  /// The measurements that are not given up.
  var measurements: [PolarMeasurementType] {
    streams.compactMap { if case .givenUp = $0.stage { nil } else { $0.request.measurement } }
  }

  /// The time of the next start, or `nil` while no stream waits for one.
  var deadline: MonotonicTime? {
    streams.compactMap { if case .waiting(let until) = $0.stage { until } else { nil } }.min()
  }

  /// Returns a stream to start now, and whether a stop precedes the start.
  func due(at now: MonotonicTime) -> (request: SensorStreamRequest, stopsFirst: Bool)? {
    let stream = streams.first { if case .waiting(let until) = $0.stage { until <= now } else { false } }
    return stream.map { ($0.request, $0.mayRun) }
  }

  /// Handles the opening of the service, which has stopped all streams: those that are not given up are started.
  mutating func opened(at now: MonotonicTime) {
    for index in streams.indices {
      if case .givenUp = streams[index].stage { continue }
      streams[index].stage = .waiting(until: now)
      streams[index].mayRun = false
    }
  }

  /// Handles a successful start. `number` is that of the response.
  mutating func started(_ measurement: PolarMeasurementType, number: Int, at now: MonotonicTime) {
    change(measurement) { stream in
      stream.stage = .running(since: now, number: number)
      stream.mayRun = true
    }
  }

  /// Handles a failed start. Returns the delay before the next, or `nil` if the stream is given up.
  mutating func failed(
    _ measurement: PolarMeasurementType, _ fault: SensorStreamFault, at now: MonotonicTime,
  ) -> Duration? {
    change(measurement) { stream in
      stream.mayRun = true
      guard !fault.isPermanent, let delay = stream.retries.next() else {
        stream.stage = .givenUp
        return nil
      }
      stream.stage = .waiting(until: now.advanced(by: delay))
      return delay
    } ?? nil
  }

  /// Whether a stream runs that was started before the notice with a number.
  func isRunning(_ measurement: PolarMeasurementType, before number: Int) -> Bool {
    streams.contains { stream in
      guard stream.request.measurement == measurement, case .running(_, let started) = stream.stage else {
        return false
      }
      return started < number
    }
  }

  /// Handles the end of a running stream by the strap. Returns the delay before the next start, or `nil` if the stream is given
  /// up.
  mutating func ended(_ measurement: PolarMeasurementType, at now: MonotonicTime) -> Duration? {
    change(measurement) { stream in
      guard case .running(let since, _) = stream.stage,
        let delay = stream.retries.next(after: now.duration(since: since))
      else {
        stream.stage = .givenUp
        return nil
      }
      stream.stage = .waiting(until: now.advanced(by: delay))
      return delay
    } ?? nil
  }

  /// Gives a stream up for the rest of the link.
  mutating func giveUp(_ measurement: PolarMeasurementType) {
    change(measurement) { $0.stage = .givenUp }
  }

  @discardableResult
  private mutating func change<Value>(
    _ measurement: PolarMeasurementType, _ body: (inout Stream) -> Value,
  ) -> Value? {
    streams.firstIndex { $0.request.measurement == measurement }.map { body(&streams[$0]) }
  }
}
