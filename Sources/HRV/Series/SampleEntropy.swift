import Statistics
import TachogramCore

/// Sample entropy (Richman & Moorman 2000, Am J Physiol Heart Circ Physiol 278:H2039–2049) with m = 2 and a tolerance of 0.2
/// sample standard deviations: −ln(A/B), B pairs of templates that agree in two intervals and A of those that agree in three,
/// Chebyshev distance at most the tolerance. Templates of both lengths are those that have a third interval. No template is
/// compared with itself or extends across a gap.
enum SampleEntropy {
  static let minimumBeats = 200
  private static let tolerance = 0.2

  /// Returns the sample entropy of the intervals of a series.
  static func measured(_ series: NNSeries) -> Measured {
    guard series.count >= minimumBeats, let moments = SampleMoments(series.intervals) else {
      return .missing(.tooFew(count: series.count, minimum: minimumBeats))
    }
    guard moments.deviation > 0 else { return .missing(.noSpread) }
    let (two, three) = matches(series, within: tolerance * moments.deviation)
    guard two > 0, three > 0 else { return .missing(.noMatches) }
    return .value(-Maths.ln(Double(three) / Double(two)))
  }

  /// Returns the number of pairs of templates that agree in two and in three intervals. They are counted in a bit matrix that
  /// has a row for each interval and a bit for each interval near it. Two templates agree if their first intervals, and the
  /// following ones, are near each other.
  private static func matches(_ series: NNSeries, within bound: Double) -> (two: Int, three: Int) {
    let words = (series.count + 63) / 64
    let near = nearness(series.intervals, within: bound, words: words)
    var isTemplate = [UInt64](repeating: 0, count: words)
    var templates: [Int] = []
    for run in series.runs {
      for place in run.dropLast(2) {
        isTemplate[place / 64] |= 1 << UInt64(place % 64)
        templates.append(place)
      }
    }
    var (two, three) = (0, 0)
    let (rows, allowed) = (near.span, isTemplate.span)
    for place in templates {
      let first = place * words
      // Each pair is counted once, with the templates after this one.
      var behind = UInt64.max << UInt64(place % 64 + 1)
      for word in (place / 64)..<words {
        let isLast = word + 1 == words
        let second = first + words + word
        let third = second + words
        let behindSecond = rows[unchecked: second] >> 1 | (isLast ? 0 : rows[unchecked: second + 1] << 63)
        let behindThird = rows[unchecked: third] >> 2 | (isLast ? 0 : rows[unchecked: third + 1] << 62)
        let both = rows[unchecked: first + word] & behindSecond & allowed[unchecked: word] & behind
        two += both.nonzeroBitCount
        three += (both & behindThird).nonzeroBitCount
        behind = .max
      }
    }
    return (two, three)
  }

  /// Returns, for each interval, a row with the bits of the intervals near it. In order of length these form a sliding window.
  private static func nearness(_ intervals: [Double], within bound: Double, words: Int) -> [UInt64] {
    let order = LengthOrder(intervals)
    let (lengths, places) = (order.lengths.span, order.places.span)
    var rows = [UInt64](repeating: 0, count: intervals.count * words)
    var windowBits = [UInt64](repeating: 0, count: words)
    var row = rows.mutableSpan
    var window = windowBits.mutableSpan
    var (low, high) = (0, 0)
    for number in 0..<lengths.count {
      let length = lengths[number]
      while high < lengths.count, lengths[high] - length <= bound {
        window[places[high] / 64] |= 1 << UInt64(places[high] % 64)
        high += 1
      }
      while length - lengths[low] > bound {
        window[places[low] / 64] &= ~(1 << UInt64(places[low] % 64))
        low += 1
      }
      let first = places[number] * words
      for word in 0..<words { row[first + word] = window[word] }
    }
    return rows
  }
}
