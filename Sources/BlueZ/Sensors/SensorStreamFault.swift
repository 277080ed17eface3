import DBus
import GATT

/// Why a measurement stream does not run. It has no effect on the link and its heart rate.
package enum SensorStreamFault: Error, Hashable, Sendable {
  /// The strap has no measurement service.
  case noService
  /// The strap does not have this measurement.
  case unsupported
  /// The ATT_MTU of the link in bytes is too small for frames.
  case mtuTooSmall(UInt16)
  /// The strap refused the request.
  case refused(PolarControlPointStatus)
  /// The strap did not respond in time.
  case noResponse
  /// The strap sent a value that cannot be decoded.
  case malformed
  /// A call to the daemon failed.
  case call(LinkFault)
  /// The subscription to the data ended while the link continued.
  case subscriptionEnded
  /// The strap ended the stream.
  case ended

  init(_ error: DBusError) {
    self = .call(LinkFault(error))
  }

  /// Whether the fault remains for the rest of the link, so that another attempt is useless.
  var isPermanent: Bool {
    switch self {
    case .noService, .unsupported, .mtuTooSmall: true
    case .refused(let status): [.invalidMTU, .notSupported, .invalidMeasurementType].contains(status)
    case .noResponse, .malformed, .call, .subscriptionEnded, .ended: false
    }
  }
}
