extension Duration {
  /// The duration in whole microseconds, the resolution of the ledger. Saturates.
  package var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return isTooLong || isOver ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The absolute value of the duration.
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}
