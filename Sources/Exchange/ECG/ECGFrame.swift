import TachogramCore

/// A frame of an electrocardiogram, with the times of its samples by the clock of the strap.
struct ECGFrame {
  /// Whether it follows the frame before it without a missing sample.
  let isContinuation: Bool
  /// The nominal sample rate in Hz.
  let rate: UInt16
  /// The time of arrival on the axis of the session.
  let arrival: MonotonicTime
  /// The times of the samples in ns since 2000-01-01 by the clock of the strap.
  let times: [UInt64]
  /// The voltages in µV.
  let microvolts: [Int32]
}
