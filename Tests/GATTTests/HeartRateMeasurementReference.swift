import GATT
import TachogramCore

/// A second reading of the Heart Rate Measurement, written for clarity: it takes the value apart field by field from a
/// list of the fields that the flags announce.
struct HeartRateMeasurementReference {
  /// What the value says, or why it says nothing.
  static func read(_ value: [UInt8]) -> Result<HeartRateMeasurement, GATTDecodingError> {
    guard let flags = value.first else { return .failure(.empty(field: .flags)) }
    let bits = (0..<8).map { (flags >> $0) % 2 == 1 }

    var layout: [(field: GATTField, size: Int)] = [(.heartRate, bits[0] ? 2 : 1)]
    if bits[3] { layout.append((.energyExpended, 2)) }

    var rest = Array(value.dropFirst())
    var numbers: [GATTField: Int] = [:]
    for (field, size) in layout {
      if rest.count < size {
        let offset = value.count - rest.count
        return .failure(.truncated(field: field, offset: offset, needed: size, available: rest.count))
      }
      numbers[field] = rest[..<size].reversed().reduce(0) { $0 * 256 + Int($1) }
      rest.removeFirst(size)
    }

    var intervals: [RRInterval] = []
    if bits[4] {
      while rest.count >= 2 {
        intervals.append(RRInterval(ticks: UInt16(Int(rest[0]) + Int(rest[1]) * 256)))
        rest.removeFirst(2)
      }
      if !rest.isEmpty { return .failure(.oddRRByte(offset: value.count - 1)) }
    }
    if !rest.isEmpty { return .failure(.trailingBytes(offset: value.count - rest.count, count: rest.count)) }

    let contact: SensorContact =
      switch (supported: bits[2], detected: bits[1]) {
      case (false, _): .notSupported
      case (true, false): .notDetected
      case (true, true): .detected
      }
    return .success(
      HeartRateMeasurement(
        heartRate: UInt16(numbers[.heartRate] ?? 0), contact: contact,
        energyExpended: numbers[.energyExpended].map { UInt16($0) }, rrIntervals: RRIntervals(intervals),
      ))
  }
}
