import TachogramCore

/// The respiration rate, estimated from its peak in the HF band of the spectrum of the intervals.
enum RespirationRate {
  /// The minimum power near the peak, as a share of the power of the band.
  private static let distinctShare = 0.5
  /// The distance from the peak that counts as near, in Hz.
  private static let nearness = 0.025

  /// Returns the rate in breaths per minute. There is no value if the maximum is at the edge of the band, if less than half of
  /// the power is near it, or if it is above half the heart rate, because intervals cannot show so fast a rhythm.
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
