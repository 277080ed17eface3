/// How the samples of an electrocardiogram are divided into data records of EDF+: each has the same number of samples, and lies
/// within a stretch.
struct ECGRecords {
  /// The lengths of a record in seconds that are tried, from the longest.
  private static let longest = 2
  private static let shortest = 4
  /// The most samples that keep a record within the 61 440 bytes that EDF recommends.
  private static let most = 30_000

  /// The number of samples in a record.
  let size: Int
  let recordCount: Int
  /// The number of samples at the ends of stretches that fill no record.
  let leftOver: Int
  /// The mean length of a record in microseconds.
  let length: Int64

  /// Divides stretches of one sample rate. The records are frames of the strap or multiples of them, from 1/4 s to 2 s, so that
  /// no sample is left over; if frames have different lengths, records of 1 s.
  init(_ stretches: [ECGStretch]) {
    let rate = Int(stretches.first?.rate ?? 1)
    let common = stretches.reduce(0) { Self.commonDivisor($0, $1.sampleCount) }
    let sizes = stride(
      from: min(common, rate * Self.longest, Self.most), through: max(1, rate / Self.shortest), by: -1)
    let size =
      sizes.first { common.isMultiple(of: $0) } ?? min(rate, Self.most, stretches.map(\.sampleCount).max() ?? rate)
    self.size = size
    recordCount = stretches.reduce(0) { $0 + $1.sampleCount / size }
    leftOver = stretches.reduce(0) { $0 + $1.sampleCount % size }
    let samples = stretches.reduce(0) { $0 + $1.sampleCount }
    let nanoseconds = stretches.reduce(0) { $0 + Double($1.sampleCount) * $1.period }
    length = samples > 0 ? Int64((nanoseconds / Double(samples) * Double(size) / 1000).rounded()) : 0
  }

  private static func commonDivisor(_ one: Int, _ other: Int) -> Int {
    var (one, other) = (one, other)
    while other != 0 { (one, other) = (other, one % other) }
    return one
  }
}
