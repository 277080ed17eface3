import TachogramCore

/// The rate of breathing, from the peak that it leaves in the high band of the spectrum of the intervals.
enum RespirationRate {
  /// The power near the peak must be this share of that of the band.
  private static let distinctShare = 0.5
  /// What is near, in Hz.
  private static let nearness = 0.025

  /// Breaths a minute. Refused where the peak is no peak but the edge of the band, where less than half of the power lies
  /// about it, and where it is above half the heart rate, since a rhythm that fast cannot show in intervals.
  static func measured(_ spectrum: Spectrum) -> Measured {
    let band = Spectrum.Band.hf.range
    let places = spectrum.places(in: band)
    guard let first = places.first, let last = places.last,
      let peak = places.max(by: { spectrum.density[$0] < spectrum.density[$1] }), peak > first, peak < last
    else { return .missing(.noDistinctPeak) }
    let frequency = spectrum.frequency(peak)
    let near = max(band.lowerBound, frequency - nearness)..<min(band.upperBound, frequency + nearness)
    guard spectrum.power(in: near) >= distinctShare * spectrum.power(.hf) else { return .missing(.noDistinctPeak) }
    let limit = 0.5 / spectrum.meanInterval
    guard frequency <= limit else { return .missing(.beyondNyquist(frequency: frequency, limit: limit)) }
    return .value(60 * frequency)
  }
}
