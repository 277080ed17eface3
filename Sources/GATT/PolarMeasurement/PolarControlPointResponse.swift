/// A strap's response to a request, or one part of it (PMD Specification, "Request Stream Settings"; Polar BLE SDK).
///
///     code        1   0xF0
///     operation   1   that of the request
///     type        1   the measurement of the request
///     status      1   0 success
///     more        1   not 0 if another part follows, with all these fields again; it may be missing, as may what follows
///     parameters  the settings that a measurement can have, or what a start adds: the factor
package struct PolarControlPointResponse: Hashable, Sendable {
  package static let code: UInt8 = 0xF0
  /// The length of the fields before the parameters, in bytes.
  package static let headerLength = 5

  package var operation: PolarControlPointOperation
  package var measurement: PolarMeasurementType
  package var status: PolarControlPointStatus
  /// Whether another part follows. A failure has one part.
  package var hasMore: Bool
  package var parameters: [UInt8]

  /// Creates a response to a request, or a part of it.
  package init(
    to operation: PolarControlPointOperation, _ measurement: PolarMeasurementType, status: PolarControlPointStatus,
    hasMore: Bool = false, parameters: [UInt8] = []
  ) {
    self.operation = operation
    self.measurement = measurement
    self.status = status
    self.hasMore = hasMore && status == .success
    self.parameters = parameters
  }

  /// Returns the parameters as settings. A single byte, which some straps append to the response to a start, is no setting,
  /// as in Polar's SDK. Offsets of errors count from the first parameter.
  package func settings() throws(GATTDecodingError) -> PolarSettings {
    parameters.count < 2 ? PolarSettings() : try PolarSettings.decode(parameters)
  }

  /// Returns the response in parts of at most `length` bytes each, at least 6: the ATT_MTU less 3.
  package func parts(of length: Int) -> [PolarControlPointResponse] {
    let step = max(1, length - Self.headerLength)
    guard status == .success, parameters.count > step else { return [self] }
    return stride(from: 0, to: parameters.count, by: step).map { start in
      let end = min(start + step, parameters.count)
      return PolarControlPointResponse(
        to: operation, measurement, status: status, hasMore: hasMore || end < parameters.count,
        parameters: Array(parameters[start..<end]))
    }
  }
}

extension PolarControlPointResponse: GATTDecodable {
  /// Reads a response or a part of it.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarControlPointResponse {
    var reader = PolarByteReader(bytes)
    let code = try reader.byte(.controlPointCode)
    guard code == Self.code else { throw .unsupported(field: .controlPointCode, value: code, offset: 0) }
    let operation = PolarControlPointOperation(rawValue: try reader.byte(.controlPointOperation))
    let measurement = PolarMeasurementType(byte: try reader.byte(.measurementType))
    let status = PolarControlPointStatus(rawValue: try reader.byte(.controlPointStatus))
    let hasMore = reader.isAtEnd ? false : try reader.byte(.controlPointMore) != 0
    return PolarControlPointResponse(
      to: operation, measurement, status: status, hasMore: hasMore, parameters: Array(reader.rest()))
  }

  /// Writes a response or a part of it.
  package static func encode(_ response: PolarControlPointResponse) -> [UInt8] {
    let head: [UInt8] = [
      code, response.operation.rawValue, response.measurement.rawValue, response.status.rawValue,
      response.hasMore ? 1 : 0,
    ]
    return head + response.parameters
  }
}
