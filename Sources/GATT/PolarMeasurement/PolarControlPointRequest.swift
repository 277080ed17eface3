/// A request that is written to the control point (PMD Specification, "Request Stream Settings", "Start Stream", "Stop
/// Stream").
///
///     operation  1   1 get settings, 2 start, 3 stop
///     type       1   the measurement; bit 7 would be a recording in the memory of the strap, which is not supported
///     settings   of a start alone: each setting with the one value it shall have
///
/// `02 02 00 01 19 00 01 01 10 00 02 01 02 00` starts the acceleration with 25 Hz, 16 bits and 2 g.
package enum PolarControlPointRequest: Hashable, Sendable {
  case getSettings(PolarMeasurementType)
  case start(PolarMeasurementType, PolarSettings)
  case stop(PolarMeasurementType)

  package var operation: PolarControlPointOperation {
    switch self {
    case .getSettings: .getSettings
    case .start: .start
    case .stop: .stop
    }
  }

  package var measurement: PolarMeasurementType {
    switch self {
    case .getSettings(let measurement), .start(let measurement, _), .stop(let measurement): measurement
    }
  }
}

extension PolarControlPointRequest: GATTDecodable {
  /// Reads a request, as a strap does.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarControlPointRequest {
    var reader = PolarByteReader(bytes)
    let operation = PolarControlPointOperation(rawValue: try reader.byte(.controlPointOperation))
    guard [.getSettings, .start, .stop].contains(operation) else {
      throw .unsupported(field: .controlPointOperation, value: operation.rawValue, offset: 0)
    }
    let type = try reader.byte(.measurementType)
    guard let measurement = PolarMeasurementType(rawValue: type) else {
      throw .unsupported(field: .measurementType, value: type, offset: 1)
    }
    if operation == .start { return .start(measurement, try PolarSettings.decode(&reader)) }
    try reader.end()
    return operation == .stop ? .stop(measurement) : .getSettings(measurement)
  }

  /// Writes a request.
  package static func encode(_ request: PolarControlPointRequest) -> [UInt8] {
    let head = [request.operation.rawValue, request.measurement.rawValue]
    guard case .start(_, let settings) = request else { return head }
    return head + PolarSettings.encode(settings)
  }
}
