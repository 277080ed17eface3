import Foundation
import GATT
import Testing

/// Frames of other programs' tests, with what those expect. `tools/check world` writes the expectations and runs this test.
struct PolarWorldTests {
  /// What a frame must decode to.
  private struct Expectation: Decodable {
    struct Value: Decodable {
      let sample: Int
      let channel: Int
      let value: Double
    }

    let name: String
    /// Hexadecimal digits.
    let frame: String
    let factor: Float
    let isRefused: Bool
    /// The time of the last sample in ns since 2000-01-01.
    let time: UInt64?
    let count: Int?
    let values: [Value]

    var bytes: [UInt8] {
      stride(from: 0, to: frame.count, by: 2).compactMap { UInt8(frame.dropFirst($0).prefix(2), radix: 16) }
    }
  }

  /// The file with the expectations.
  private static let file = ProcessInfo.processInfo.environment["TACHOGRAM_POLAR_EXPECTATIONS"]
  /// Of numbers with a fraction, which are those of 32-bit floating point.
  private static let tolerance = 1e-5

  @Test(.enabled(if: file != nil))
  func testExpectedFrames_AreReadSo() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: #require(Self.file)))
    let expectations = try JSONDecoder().decode([Expectation].self, from: data)
    #expect(!expectations.isEmpty)
    for expectation in expectations {
      guard !expectation.isRefused else {
        #expect(throws: GATTDecodingError.self, "\(expectation.name)") {
          try PolarMeasurementFrame.decode(expectation.bytes[...], factor: expectation.factor)
        }
        continue
      }
      let frame = try PolarMeasurementFrame.decode(expectation.bytes[...], factor: expectation.factor)
      let rows = PolarSampleRows.rows(frame.samples)
      #expect(frame.header.time == expectation.time ?? frame.header.time, "\(expectation.name)")
      #expect(rows.count == expectation.count ?? rows.count, "\(expectation.name)")
      #expect(!expectation.values.isEmpty, "\(expectation.name)")
      for value in expectation.values {
        let number = try #require(
          rows.indices.contains(value.sample) && rows[value.sample].indices.contains(value.channel)
            ? rows[value.sample][value.channel] : nil, "\(expectation.name)")
        let allowed = value.value == value.value.rounded() ? 0 : Self.tolerance
        #expect(abs(number - value.value) <= allowed, "\(expectation.name), sample \(value.sample)")
      }
    }
  }
}
