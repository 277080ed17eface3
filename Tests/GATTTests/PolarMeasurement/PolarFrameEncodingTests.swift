import GATT
import TachogramCore
import TachogramTestKit
import Testing

/// Frames as virtual straps write them, which decode to the same samples.
struct PolarFrameEncodingTests {
  private static let time: UInt64 = 0x0102_0304_0506_0708

  private static func acceleration(_ bytes: [UInt8], factor: Float = 1) throws -> [PolarAccelerationSample] {
    let frame = try PolarMeasurementFrame.decode(bytes[...], factor: factor)
    #expect(frame.header.time == time)
    guard case .acceleration(let samples) = frame.samples else { return [] }
    return samples
  }

  private static func random(
    _ count: Int, in range: ClosedRange<Int32>, _ random: inout SplitMix64
  ) -> [PolarAccelerationSample] {
    (0..<count).map { _ in
      PolarAccelerationSample(
        x: .random(in: range, using: &random), y: .random(in: range, using: &random),
        z: .random(in: range, using: &random))
    }
  }

  @Test func testVectors_AreWrittenAsTheyAre() throws {
    for vector in PolarFrameVector.all where vector.bytes[9] < 128 {
      let frame = try PolarMeasurementFrame.decode(vector.bytes)
      switch (frame.samples, vector.bytes[9]) {
      case (.acceleration(let samples), 0...2):
        #expect(PolarAccelerationCodec.encode(samples, time: Self.time, format: frame.header.format) == vector.bytes)
      case (.ecg(let samples), 0):
        #expect(PolarECGCodec.encode(microvolts: samples.map(\.microvolts), time: Self.time) == vector.bytes)
      case (.ppi(let samples), 0):
        // Reserved flags and a contact bit without support are not kept.
        let canonical = vector.bytes.dropLast() + [0]
        #expect(PolarPPICodec.encode(samples, time: Self.time) == Array(canonical))
      default: continue
      }
    }
  }

  /// Steps of 3, 0 and -4 need three bits, the next group of one sample a single one.
  @Test func testCompressedFrame_HasGroupsOfTheSmallestSize() {
    var samples = (0..<17).map { PolarAccelerationSample(x: 3 * $0, y: 7, z: -4 * $0) }
    samples.append(samples[16])
    let frame = PolarAccelerationCodec.encode(samples, time: Self.time, format: .compressed(1))
    let head: [UInt8] = [2, 8, 7, 6, 5, 4, 3, 2, 1, 0x81, 0, 0, 7, 0, 0, 0]
    // 16 times 011 000 100: nine bits 0x103 each, 18 bytes.
    var bits = (0..<16).flatMap { _ in [true, true, false, false, false, false, false, false, true] }
    var bytes: [UInt8] = []
    while !bits.isEmpty {
      bytes.append(bits.prefix(8).reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
      bits.removeFirst(8)
    }
    #expect(frame == head + [3, 16] + bytes + [1, 1, 0])
  }

  @Test(
    arguments: [
      (0, -128...127), (1, -32_768...32_767), (2, -8_388_608...8_388_607),
    ] as [(UInt8, ClosedRange<Int32>)])
  func testRandomRawAcceleration_Survives(format: UInt8, range: ClosedRange<Int32>) throws {
    var random = SplitMix64(seed: 11)
    for count in 0..<40 {
      let samples = Self.random(count, in: range, &random)
      let frame = try #require(PolarAccelerationCodec.encode(samples, time: Self.time, format: .raw(format)))
      #expect(try Self.acceleration(frame) == samples)
    }
  }

  @Test(arguments: [1, 3, 100, 2000, 32_767] as [Int32])
  func testRandomCompressedAcceleration_Survives(magnitude: Int32) throws {
    var random = SplitMix64(seed: UInt64(magnitude))
    for count in 1..<60 {
      let samples = Self.random(count, in: -magnitude - 1...magnitude, &random)
      let frame = try #require(PolarAccelerationCodec.encode(samples, time: Self.time, format: .compressed(1)))
      #expect(try Self.acceleration(frame) == samples)
    }
  }

  /// A factor that is finer than a milli-g keeps each of them: 8 g in 16 bits.
  @Test func testRandomCompressedAccelerationWithAFactor_Survives() throws {
    var random = SplitMix64(seed: 12)
    let samples = Self.random(50, in: -7999...7999, &random)
    let cases: [(PolarFrameFormat, Float)] = [(.compressed(0), 8 / 32_768), (.compressed(1), 8000 / 32_768)]
    for (format, factor) in cases {
      let frame = try #require(
        PolarAccelerationCodec.encode(samples, time: Self.time, format: format, factor: factor))
      #expect(try Self.acceleration(frame, factor: factor) == samples)
    }
  }

  @Test func testValuesBeyondTheFormat_Saturate() throws {
    let samples = [
      PolarAccelerationSample(x: .max, y: .min, z: 0), PolarAccelerationSample(x: .min, y: .max, z: 1000),
    ]
    let limits: [(PolarFrameFormat, Int32)] = [
      (.raw(0), 0x7F), (.raw(1), 0x7FFF), (.raw(2), 0x7F_FFFF), (.compressed(1), 0x7FFF),
    ]
    for (format, limit) in limits {
      let frame = try #require(PolarAccelerationCodec.encode(samples, time: Self.time, format: format))
      let expected = [
        PolarAccelerationSample(x: limit, y: -limit - 1, z: 0),
        PolarAccelerationSample(x: -limit - 1, y: limit, z: min(1000, limit)),
      ]
      #expect(try Self.acceleration(frame) == expected)
    }
    let ecg = try PolarMeasurementFrame.decode(PolarECGCodec.encode(microvolts: [.max, .min], time: 0))
    #expect(PolarSampleRows.rows(ecg.samples) == [[8_388_607], [-8_388_608]])
  }

  @Test func testImpossibleFrames_AreNotWritten() {
    let sample = PolarAccelerationSample(x: 1, y: 2, z: 3)
    for format in [.raw(3), .raw(127), .compressed(2), .compressed(127)] as [PolarFrameFormat] {
      #expect(PolarAccelerationCodec.encode([sample], time: 0, format: format) == nil)
    }
    #expect(PolarAccelerationCodec.encode([], time: 0, format: .compressed(1)) == nil)
    #expect(PolarAccelerationCodec.encode([sample], time: 0, format: .compressed(1), factor: .nan) != nil)
    #expect(PolarAccelerationCodec.encode([sample], time: 0, format: .compressed(1), factor: 0) != nil)
  }

  @Test func testRandomECG_Survives() throws {
    var random = SplitMix64(seed: 13)
    for count in 0..<74 {
      let voltages = (0..<count).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &random) }
      let frame = try PolarMeasurementFrame.decode(PolarECGCodec.encode(microvolts: voltages, time: Self.time))
      #expect(frame.samples == .ecg(voltages.map { PolarECGSample(microvolts: $0) }))
      #expect(frame.header == PolarFrameHeader(.ecg, time: Self.time, format: .raw(0)))
    }
  }

  @Test func testRandomPPI_Survives() throws {
    var random = SplitMix64(seed: 14)
    for count in 0..<30 {
      let samples = (0..<count).map { _ in
        PolarPPISample(
          heartRate: .random(in: 0...255, using: &random), interval: .random(in: 0...65_535, using: &random),
          errorEstimate: .random(in: 0...65_535, using: &random), isBlocked: .random(using: &random),
          contact: SensorContact.allCases.randomElement(using: &random) ?? .notSupported)
      }
      let frame = try PolarMeasurementFrame.decode(PolarPPICodec.encode(samples, time: Self.time))
      #expect(frame.samples == .ppi(samples))
    }
  }
}
