import GATT

/// The Polar Measurement Data service of a simulated strap, as a value without a radio: it answers requests and keeps the state
/// of the streams. A stream runs until it is stopped, ends by itself or the link ends, whether anyone receives it or not.
package struct SimulatedMeasurements: Hashable, Sendable {
  /// The ATT_MTU in bytes that straps need for their frames.
  package static let minimumMTU = 232
  /// The error of a write while indications are disabled: Client Characteristic Configuration Descriptor Improperly Configured
  /// (Core Specification Supplement, Part B, 1.2).
  package static let improperlyConfigured: UInt8 = 0xFD
  /// The length of the header of an indication in bytes (Core Specification 5.4, Vol 3, Part F, 3.4.7.2).
  private static let indicationHeader = 3

  /// The response to a write to the control point.
  package enum Response: Hashable, Sendable {
    /// The write succeeds, and these values are indicated in order.
    case indications([[UInt8]])
    /// The write fails with an ATT error.
    case error(UInt8)
  }

  /// The settings that each measurement can have.
  package let offered: [PolarMeasurementType: PolarSettings]
  /// The factors that responses to starts contain.
  package let factors: [PolarMeasurementType: Float]
  /// The reason for which the strap refuses starts, such as `inCharger`.
  package var refusal: PolarControlPointStatus?
  /// The running streams with the settings of their start.
  package private(set) var running: [PolarMeasurementType: PolarSettings] = [:]

  /// Creates the service of a strap with these measurements.
  package init(offered: [PolarMeasurementType: PolarSettings], factors: [PolarMeasurementType: Float] = [:]) {
    self.offered = offered
    self.factors = factors
  }

  /// ECG and acceleration with the settings of an H10.
  package static let chestStrap = SimulatedMeasurements(
    offered: [
      .ecg: PolarSettings([.sampleRate([130]), .resolution([14])]),
      .acceleration: PolarSettings([
        .sampleRate([25, 50, 100, 200]), .resolution([16]), .range([2, 4, 8]),
      ]),
    ], factors: [.acceleration: 1])

  /// Acceleration and PPI with the settings of a Verity Sense; PPI has no settings.
  package static let armBand = SimulatedMeasurements(
    offered: [
      .acceleration: PolarSettings([.sampleRate([52]), .resolution([16]), .range([8]), .channels([3])]),
      .ppi: PolarSettings(), .sdkMode: PolarSettings(),
    ], factors: [.acceleration: 0.244_140_62])

  /// The value that a read of the control point returns.
  package var features: [UInt8] {
    PolarMeasurementFeatures.encode(PolarMeasurementFeatures(Set(offered.keys)))
  }

  // MARK: - Requests

  /// Handles a value written to the control point. `isIndicating` is whether its indications are enabled, and `mtu` the ATT_MTU
  /// of the link in bytes.
  package mutating func write(_ value: [UInt8], isIndicating: Bool, mtu: Int) -> Response {
    guard isIndicating else { return .error(Self.improperlyConfigured) }
    let response = respond(to: value, mtu: mtu)
    return .indications(response.parts(of: mtu - Self.indicationHeader).map { PolarControlPointResponse.encode($0) })
  }

  private mutating func respond(to value: [UInt8], mtu: Int) -> PolarControlPointResponse {
    let request: PolarControlPointRequest
    do {
      request = try PolarControlPointRequest.decode(value[...])
    } catch {
      return PolarControlPointResponse(
        to: PolarControlPointOperation(rawValue: value.first ?? 0),
        PolarMeasurementType(byte: value.dropFirst().first ?? 0), status: Self.status(of: error))
    }
    let (operation, measurement) = (request.operation, request.measurement)
    guard let settings = offered[measurement] else {
      return PolarControlPointResponse(to: operation, measurement, status: .notSupported)
    }
    var parameters = PolarSettings()
    let status: PolarControlPointStatus
    switch request {
    case .getSettings:
      parameters = settings
      status = .success
    case .start(_, let chosen):
      status = start(measurement, chosen, mtu: mtu)
      if let factor = factors[measurement] { parameters = PolarSettings([.factor([factor])]) }
    case .stop: status = running.removeValue(forKey: measurement) == nil ? .alreadyInState : .success
    }
    return PolarControlPointResponse(
      to: operation, measurement, status: status,
      parameters: status == .success ? PolarSettings.encode(parameters) : [])
  }

  private static func status(of error: GATTDecodingError) -> PolarControlPointStatus {
    switch error {
    case .unsupported(.controlPointOperation, _, _): .invalidOperation
    case .unsupported(.measurementType, _, _): .invalidMeasurementType
    case .unsupported: .invalidParameter
    default: .invalidLength
    }
  }

  private mutating func start(
    _ measurement: PolarMeasurementType, _ chosen: PolarSettings, mtu: Int
  ) -> PolarControlPointStatus {
    if running[measurement] != nil { return .alreadyInState }
    if let refusal { return refusal }
    // SDK mode excludes PPI, and changes the settings of streams, so that it cannot start beside them.
    if measurement == .ppi ? running[.sdkMode] != nil : measurement == .sdkMode && !running.isEmpty {
      return .invalidState
    }
    if mtu < Self.minimumMTU { return .invalidMTU }
    if let status = offered[measurement].flatMap({ Self.refusal(of: chosen, offered: $0) }) { return status }
    running[measurement] = chosen
    return .success
  }

  /// Returns why a start with `chosen` settings is refused: each offered setting must have one of its values.
  private static func refusal(of chosen: PolarSettings, offered: PolarSettings) -> PolarControlPointStatus? {
    let choices = [
      (chosen.sampleRates, offered.sampleRates, PolarControlPointStatus.invalidSampleRate),
      (chosen.resolutions, offered.resolutions, .invalidResolution),
      (chosen.ranges, offered.ranges, .invalidRange),
      (chosen.channels.map { UInt16($0) }, offered.channels.map { UInt16($0) }, .invalidChannelCount),
    ]
    for (values, allowed, status) in choices {
      if allowed.isEmpty, values.isEmpty { continue }
      guard values.count == 1, allowed.contains(values[0]) else { return status }
    }
    return nil
  }

  // MARK: - What ends streams, and data

  /// Ends streams of the strap's own accord. Returns the value to indicate, or `nil` if none of them runs.
  package mutating func end(_ measurements: [PolarMeasurementType]) -> [UInt8]? {
    let ended = measurements.filter { running.removeValue(forKey: $0) != nil }
    return ended.isEmpty ? nil : PolarControlPointIndication.encode(.stopped(ended))
  }

  /// Ends all streams with the link.
  package mutating func linkEnded() {
    running.removeAll()
  }

  /// Whether the strap would send a frame: only while its stream runs.
  package func sends(_ frame: [UInt8]) -> Bool {
    frame.first.map { running[PolarMeasurementType(byte: $0)] != nil } ?? false
  }
}
