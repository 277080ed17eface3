/// The reason why the data of a night are refused. Positions are counted from 0.
package enum SleepInputError: Error, Hashable, Sendable {
  /// The night has a negative number of epochs.
  case negativeLength(epochs: Int)
  /// The night has more epochs than `limit`.
  case tooLong(epochs: Int, limit: Int)
  /// A value lies before the start of the night.
  case beforeStart(position: Int)
  /// A value lies beyond the end of the longest night.
  case beyondAxis(position: Int)
  /// A value is earlier than the one before it.
  case unsorted(position: Int)
  /// A heart rate, a movement or a share is NaN, infinite or negative.
  case invalidValue(position: Int)
  /// A range of epochs is not within the `count` epochs of the night.
  case invalidRange(lower: Int, upper: Int, count: Int)
  /// The second of the day is not 0 … 86 399.
  case invalidTimeOfDay(second: Int)
  /// The age in years is not 0 … 130.
  case invalidAge(years: Double)
}
