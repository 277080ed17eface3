/// The features of windows in the frequency domain, from periodograms of the interpolated intervals.
///
/// A complete window has the mean subtracted. Of one in which up to half of the values are missing, the others are joined, the
/// mean is subtracted, and they have a periodic Hann window of their number. With more missing values there are no features.
struct WindowSpectrum {
  private let transform: WindowTransform
  /// The frequencies of total power, VLF, LF and HF. Their bounds belong to them, and the gaps between bands to none.
  private let bands: [ClosedRange<Int>]
  private var hann: [Double] = []

  init(_ window: SleepECGWindow) {
    transform = WindowTransform(window)
    bands =
      switch window {
      case .sleepWake: [0...204, 2...20, 21...76, 77...204]
      case .wakeNREMREM: [0...108, 1...10, 11...40, 41...108]
      }
  }

  /// The values of total power, VLF, LF, LF norm, HF, HF norm and LF/HF; all NaN if too many values of the window are missing.
  mutating func values(of window: ArraySlice<Double>) -> [Double] {
    var known = window.filter { !$0.isNaN }
    guard 2 * known.count >= window.count, !known.isEmpty else { return [Double](repeating: .nan, count: 7) }
    // Relative to the first value, so that equal values have no power at all.
    let first = known[0]
    for place in known.indices { known[place] -= first }
    let mean = known.reduce(0, +) / Double(known.count)
    for place in known.indices { known[place] -= mean }
    var weight = Double(known.count)
    if known.count < window.count {
      prepareHann(known.count)
      weight = 0
      for place in known.indices {
        known[place] *= hann[place]
        weight += hann[place] * hann[place]
      }
    }
    let squares = transform.squares(of: known)
    let frequency = Double(IntervalGrid.frequency)
    let scale = 1 / (frequency * weight)
    let density = squares.enumerated().map { $0 == 0 ? $1 * scale : 2 * $1 * scale }
    let step = frequency / Double(transform.count)
    let powers = bands.map { band in
      let sum = density[band].reduce(0, +) - (density[band.lowerBound] + density[band.upperBound]) / 2
      return sum * step
    }
    let (lf, hf) = (powers[2], powers[3])
    return [powers[0], powers[1], lf, lf / (lf + hf) * 100, hf, hf / (lf + hf) * 100, lf / hf]
  }

  private mutating func prepareHann(_ count: Int) {
    guard hann.count != count else { return }
    hann = (0..<count).map { 0.5 - 0.5 * SleepMaths.turn($0, of: count).cosine }
  }
}
