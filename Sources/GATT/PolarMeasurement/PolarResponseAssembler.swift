/// The parts of the response to one request, joined to the whole response.
package struct PolarResponseAssembler: Sendable {
  /// The maximum length of the joined parameters in bytes: more than all settings that straps have.
  package static let maximumParameters = 2048

  private let operation: PolarControlPointOperation
  private let measurement: PolarMeasurementType
  private var parameters: [UInt8] = []

  /// Creates an assembler of the response to `request`.
  package init(request: PolarControlPointRequest) {
    operation = request.operation
    measurement = request.measurement
  }

  /// Appends a part. Returns the whole response after its last part or a failure, and `nil` if more follows. A response to
  /// another request is ignored: it is late.
  /// - Throws: `GATTDecodingError.tooLong` if a strap sends parts without end.
  package mutating func append(
    _ part: PolarControlPointResponse
  ) throws(GATTDecodingError) -> PolarControlPointResponse? {
    guard part.operation == operation, part.measurement == measurement else { return nil }
    guard part.status == .success else { return part }
    guard parameters.count + part.parameters.count <= Self.maximumParameters else {
      throw .tooLong(count: parameters.count + part.parameters.count, limit: Self.maximumParameters)
    }
    parameters += part.parameters
    if part.hasMore { return nil }
    return PolarControlPointResponse(to: operation, measurement, status: part.status, parameters: parameters)
  }
}
