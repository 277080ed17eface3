import BlueZ
import GATT

/// Describes for people why a measurement stream does not run.
package enum SensorStreamWording {
  /// Returns a sentence without the name of the strap, such as "it has no accelerometer".
  package static func text(_ report: SensorStreamReport) -> String {
    let name = name(report.measurement)
    let reason =
      switch report.fault {
      case .noService: "it has no measurement service, so there is no \(name)"
      case .unsupported: "it has no \(name)"
      case .mtuTooSmall(let mtu): "the packets of the link are too short for \(name) (ATT_MTU \(mtu) bytes)"
      case .refused(let status): "it refused \(name): \(status)"
      case .noResponse: "it did not answer the request for \(name)"
      case .malformed: "it sent a response about \(name) that cannot be read"
      case .call(let fault): "\(name) failed: \(fault)"
      case .subscriptionEnded: "the subscription to \(name) ended"
      case .ended: "it ended \(name)"
      }
    let next = report.retry.map { "; next attempt in \(max(1, $0.components.seconds)) s" } ?? ""
    return reason + next
  }

  private static func name(_ measurement: PolarMeasurementType) -> String {
    switch measurement {
    case .acceleration: "accelerometer"
    case .ecg: "ECG"
    case .ppi: "pulse-to-pulse intervals"
    default: "\(measurement)"
    }
  }
}
