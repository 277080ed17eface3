import BlueZ

extension LinkTiming {
  /// Times that no step takes and no silence lasts, however slow the machine that tests.
  static let patient: LinkTiming = {
    var timing = LinkTiming()
    let years: Duration = .seconds(10_000_000)
    timing.connect = years
    timing.resolve = years
    timing.subscribe = years
    timing.firstNotification = years
    timing.stale = years
    timing.resubscribe = years
    timing.reconnect = years
    return timing
  }()
}

extension SensorStreamTiming {
  /// Times that no request takes, however slow the machine that tests.
  static let patient: SensorStreamTiming = {
    var timing = SensorStreamTiming()
    timing.call = .seconds(240)
    timing.response = .seconds(10_000_000)
    timing.stop = .seconds(240)
    return timing
  }()
}
