/// An interval between two beats of any kind.
package struct TimedInterval: Hashable, Sendable {
  /// The time of the beat that ends it, in ticks from the start of the night.
  package let end: Int64
  package let milliseconds: Double

  package init(end: Int64, milliseconds: Double) {
    (self.end, self.milliseconds) = (end, milliseconds)
  }
}
