import GATT
import TachogramCore
import Threads

/// Passes the frames of started streams to the sink of a link, on any thread. Frames that arrive before the response to the
/// start of their stream are held until then, because the daemon delivers them by another way. Frames of streams that were not
/// started here are discarded: another program started them, or a previous link left them running.
final class SensorFrameGate: Sendable {
  private enum Stage: Sendable {
    case starting(held: [[UInt8]])
    case started
  }

  /// The maximum number of frames held of a stream, some seconds of the fastest.
  private static let mostHeld = 64

  private let sink: LinkSink
  private let stages = Guarded<[PolarMeasurementType: Stage]>([:])

  init(_ sink: LinkSink) {
    self.sink = sink
  }

  /// Handles a notification of the data.
  func receive(_ frame: [UInt8]) {
    guard let measurement = frame.first.map({ PolarMeasurementType(byte: $0) }) else { return }
    stages.withLock { stages in
      switch stages[measurement] {
      case .started: sink.deliver(sensor: .frame(frame))
      case .starting(var held) where held.count < Self.mostHeld:
        held.append(frame)
        stages[measurement] = .starting(held: held)
      case .starting, nil: break
      }
    }
  }

  /// Holds the frames of a stream whose start is about to be requested.
  func hold(_ measurement: PolarMeasurementType) {
    stages.withLock { $0[measurement] = .starting(held: []) }
  }

  /// Emits the start of a stream, and then its frames.
  func start(_ measurement: PolarMeasurementType, request: [UInt8], response: [UInt8]) {
    stages.withLock { stages in
      sink.deliver(sensor: .started(request: request, response: response))
      if case .starting(let held) = stages[measurement] {
        for frame in held { sink.deliver(sensor: .frame(frame)) }
      }
      stages[measurement] = .started
    }
  }

  /// Discards the frames of a stream that could not be started.
  func discard(_ measurement: PolarMeasurementType) {
    stages.withLock { $0[measurement] = nil }
  }
}
