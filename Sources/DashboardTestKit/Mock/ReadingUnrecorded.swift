import Dashboard

extension API.Reading {
  /// Returns the reading without its session; as an average from advertisements, with its heart rate alone.
  func unrecorded(isAverage: Bool) -> API.Reading {
    var reading = self
    (reading.session, reading.start) = (nil, nil)
    guard isAverage else { return reading }
    (reading.isAverage, reading.person, reading.batteryPercent) = (true, nil, nil)
    (reading.minute, reading.fiveMinutes, reading.detail, reading.stress, reading.beats) = (nil, nil, nil, nil, [])
    return reading
  }
}
