import GATT
import TachogramCore

extension SensorEntry.Content {
  /// The measurement of the stream that the entry starts, or `nil` if it starts none.
  var startedMeasurement: PolarMeasurementType? {
    guard case .started(let request, _) = self,
      case .start(let measurement, _)? = try? PolarControlPointRequest.decode(request[...])
    else { return nil }
    return measurement
  }

  /// The measurements of the streams that the strap ended.
  var stoppedMeasurements: [PolarMeasurementType] {
    guard case .stopped(let notice) = self,
      case .stopped(let measurements)? = try? PolarControlPointIndication.decode(notice[...])
    else { return [] }
    return measurements
  }
}
