/// A value that a strap indicates on the control point: a response, or a notice of its own accord.
///
///     code   1   0xF0 a response; 1 measurements were stopped
///     types  of a notice: 1 each, one or more measurements
package enum PolarControlPointIndication: Hashable, Sendable {
  case response(PolarControlPointResponse)
  /// The strap stopped these measurements.
  case stopped([PolarMeasurementType])

  private static let stopped: UInt8 = 1
}

extension PolarControlPointIndication: GATTDecodable {
  /// Reads an indication.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarControlPointIndication {
    guard bytes.first == Self.stopped else { return .response(try PolarControlPointResponse.decode(bytes)) }
    let types = bytes.dropFirst()
    guard !types.isEmpty else { throw .truncated(field: .measurementType, offset: 1, needed: 1, available: 0) }
    return .stopped(types.map { PolarMeasurementType(byte: $0) })
  }

  /// Writes an indication.
  package static func encode(_ indication: PolarControlPointIndication) -> [UInt8] {
    switch indication {
    case .response(let response): PolarControlPointResponse.encode(response)
    case .stopped(let measurements): [stopped] + measurements.map(\.rawValue)
    }
  }
}
