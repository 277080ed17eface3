/// The parameters with which a host begins LE connections, as far as they are set or known. The units are those of
/// `ConnectionParameters`.
package struct ConnectionDefaults: Hashable, Sendable {
  /// The defaults of Linux (6.1, `hci_alloc_dev_priv`): 30 to 50 ms, no latency, 420 ms.
  package static let kernel = ConnectionDefaults(
    minimumInterval: 24, maximumInterval: 40, latency: 0, supervisionTimeout: 42)
  /// Values for main.conf with which the kernel accepts the requests of straps: any interval, and a timeout of 10 s.
  package static let generous = ConnectionDefaults(
    minimumInterval: 6, maximumInterval: 3200, latency: 0, supervisionTimeout: 1000)

  package var minimumInterval: Int?
  package var maximumInterval: Int?
  package var latency: Int?
  package var supervisionTimeout: Int?

  package init(
    minimumInterval: Int? = nil, maximumInterval: Int? = nil, latency: Int? = nil, supervisionTimeout: Int? = nil,
  ) {
    self.minimumInterval = minimumInterval
    self.maximumInterval = maximumInterval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }

  /// Reads the group `[LE]` of bluetoothd's main.conf. As in bluetoothd, a value out of range counts as not set.
  package init(_ file: KeyFile) {
    func number(_ key: String, _ range: ClosedRange<Int>) -> Int? {
      file.number(key, in: "LE").flatMap { range.contains($0) ? $0 : nil }
    }
    self.init(
      minimumInterval: number("MinConnectionInterval", 6...3200),
      maximumInterval: number("MaxConnectionInterval", 6...3200), latency: number("ConnectionLatency", 0...499),
      supervisionTimeout: number("ConnectionSupervisionTimeout", 10...3200))
  }

  /// Returns these parameters, with those that are not set taken from `others`.
  package func completed(with others: ConnectionDefaults) -> ConnectionDefaults {
    ConnectionDefaults(
      minimumInterval: minimumInterval ?? others.minimumInterval,
      maximumInterval: maximumInterval ?? others.maximumInterval, latency: latency ?? others.latency,
      supervisionTimeout: supervisionTimeout ?? others.supervisionTimeout)
  }

  /// Whether a host that allows `parameters` accepts a strap's request for these.
  package func isWithin(_ parameters: ConnectionParameters) -> Bool {
    Int(parameters.intervals.upperBound) >= maximumInterval ?? 0
      && Int(parameters.supervisionTimeout) >= supervisionTimeout ?? 0
  }

  /// The values as connection parameters, or `nil` if one is missing or the specification does not allow the combination.
  package var parameters: ConnectionParameters? {
    guard let minimum = minimumInterval.flatMap(UInt16.init(exactly:)),
      let maximum = maximumInterval.flatMap(UInt16.init(exactly:)), minimum <= maximum,
      let latency = latency.flatMap(UInt16.init(exactly:)),
      let timeout = supervisionTimeout.flatMap(UInt16.init(exactly:))
    else { return nil }
    return ConnectionParameters(intervals: minimum...maximum, latency: latency, supervisionTimeout: timeout)
  }
}
