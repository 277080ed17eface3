import GATT
import TachogramCore

/// Seeds of Polar's measurement service: what is read, written, indicated and notified.
enum PolarSeeds {
  private static let time: UInt64 = 694_512_749_912_654_440

  private static let offered = PolarSettings([
    .sampleRate([25, 50, 100, 200]), .resolution([16]), .range([2, 4, 8]), .rangeThousandths([2000]), .channels([3]),
    .factor([1]),
  ])

  static let values: [FuzzSeed] = FuzzSeeds.numbered([features, requests, indications, frames].flatMap { $0 })

  private static let features = [
    PolarMeasurementFeatures.encode(PolarMeasurementFeatures([.ecg, .acceleration])), [0x0F, 0x6E, 0x02],
  ]

  private static let requests: [[UInt8]] = {
    let requests: [PolarControlPointRequest] = [
      .getSettings(.acceleration), .start(.acceleration, offered.selection(sampleRate: 25, range: 2)),
      .start(.ppi, PolarSettings()), .stop(.ecg),
    ]
    return requests.map { PolarControlPointRequest.encode($0) }
  }()

  private static let indications: [[UInt8]] = {
    let settings = PolarControlPointResponse(
      to: .getSettings, .acceleration, status: .success, parameters: PolarSettings.encode(offered))
    let factor = PolarControlPointResponse(
      to: .start, .acceleration, status: .success, parameters: PolarSettings.encode(PolarSettings([.factor([0.25])])))
    let failure = PolarControlPointResponse(to: .stop, .ecg, status: .alreadyInState)
    return ([settings, factor, failure] + settings.parts(of: 20)).map { PolarControlPointResponse.encode($0) }
      + [PolarControlPointIndication.encode(.stopped([.acceleration, .ecg]))]
  }()

  private static let frames: [[UInt8]] = {
    let samples = (0..<36).map { (step: Int32) in
      PolarAccelerationSample(x: step * 37 % 90 - 45, y: -1000 + step, z: step * step)
    }
    let formats: [PolarFrameFormat] = [.raw(0), .raw(1), .raw(2), .compressed(0), .compressed(1)]
    let acceleration = formats.compactMap { PolarAccelerationCodec.encode(samples, time: time, format: $0) }
    let ecg = PolarECGCodec.encode(microvolts: samples.map(\.z), time: time)
    let pulses = (0..<5).map {
      PolarPPISample(heartRate: 60, interval: 980 + 10 * $0, errorEstimate: 8, contact: .detected)
    }
    return acceleration + [ecg, PolarPPICodec.encode(pulses, time: time)] + others
  }()

  /// Frames that virtual straps do not write: each a header, a reference sample or a sample, and a group.
  private static let others: [[UInt8]] = [
    head(0, 0x02) + [0x12, 0x34, 0x56],
    head(1, 0x00) + Array(1...12),
    head(1, 0x05) + [1, 0, 0, 0],
    head(1, 0x80) + Array(1...12) + [4, 1, 0xE1, 0x87],
    head(1, 0x88) + Array(1...75) + [1, 1, 0xFF, 0xFF, 0xFF, 1],
    head(5, 0x81) + [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0, 0, 0, 0, 0, 24, 1] + Array(1...9),
    head(6, 0x80) + Array(1...6) + [2, 1, 9],
    head(6, 0x81) + Array(1...8) + [2, 2, 0x74, 0x80],
  ]

  private static func head(_ type: UInt8, _ format: UInt8) -> [UInt8] {
    [type, 1, 2, 3, 4, 5, 6, 7, 0, format]
  }
}
