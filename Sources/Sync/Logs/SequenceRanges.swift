/// Sequence numbers as ranges, so that a large hole needs no more memory than a small one.
package struct SequenceRanges: Hashable, Sendable {
  /// The ranges in ascending order, neither overlapping nor adjacent.
  package private(set) var ranges: [ClosedRange<UInt64>] = []

  package init(_ ranges: [ClosedRange<UInt64>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
        self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  package init(numbers: some Sequence<UInt64>) {
    self.init(numbers.map { $0...$0 })
  }

  /// Decodes ranges as `1-3,7-7`. Returns `nil` for any other text.
  package init?(text: String) {
    var ranges: [ClosedRange<UInt64>] = []
    for part in text.split(separator: ",") {
      let bounds = part.split(separator: "-").compactMap { UInt64($0) }
      guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
      ranges.append(bounds[0]...bounds[1])
    }
    self.init(ranges)
  }

  /// The ranges as text.
  package var text: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",") }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The number of sequence numbers; saturates.
  package var count: UInt64 {
    ranges.reduce(0) { sum, range in
      let (next, isTooLarge) = sum.addingReportingOverflow(range.upperBound - range.lowerBound + 1)
      return isTooLarge ? .max : next
    }
  }

  package func contains(_ number: UInt64) -> Bool { ranges.contains { $0.contains(number) } }

  package func union(_ other: SequenceRanges) -> SequenceRanges { SequenceRanges(ranges + other.ranges) }

  package func subtracting(_ other: SequenceRanges) -> SequenceRanges {
    var rest = ranges
    for hole in other.ranges {
      rest = rest.flatMap { range -> [ClosedRange<UInt64>] in
        guard range.overlaps(hole) else { return [range] }
        var parts: [ClosedRange<UInt64>] = []
        if range.lowerBound < hole.lowerBound { parts.append(range.lowerBound...(hole.lowerBound - 1)) }
        if range.upperBound > hole.upperBound { parts.append((hole.upperBound + 1)...range.upperBound) }
        return parts
      }
    }
    return SequenceRanges(rest)
  }
}
