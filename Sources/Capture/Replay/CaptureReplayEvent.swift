import TachogramCore

extension CaptureReplay.Event {
  /// The time of arrival on the monotonic axis.
  var monotonic: MonotonicTime {
    switch self {
    case .entry(let entry): entry.monotonic
    case .measurement(let measurement): measurement.monotonic
    }
  }

  /// The time of arrival on the civil clock.
  var wall: WallTime {
    switch self {
    case .entry(let entry): entry.wall
    case .measurement(let measurement): measurement.wall
    }
  }
}
