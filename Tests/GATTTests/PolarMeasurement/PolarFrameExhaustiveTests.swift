import GATT
import TachogramTestKit
import Testing

/// Frames of every length, type, format and group, against the second reading.
struct PolarFrameExhaustiveTests {
  private static func decoded(_ bytes: [UInt8], factor: Float = 1) -> Result<[[Double]], GATTDecodingError> {
    Result { () throws(GATTDecodingError) in try PolarMeasurementFrame.decode(bytes[...], factor: factor) }
      .map { PolarSampleRows.rows($0.samples) }
  }

  /// Not-a-number, which a gyroscope may report, is equal to itself here.
  private static func areEqual(
    _ one: Result<[[Double]], GATTDecodingError>, _ other: Result<[[Double]], GATTDecodingError>
  ) -> Bool {
    switch (one, other) {
    case (.failure(let one), .failure(let other)): one == other
    case (.success(let one), .success(let other)):
      one.map { $0.map { $0.isNaN ? 0x1p100 : $0 } } == other.map { $0.map { $0.isNaN ? 0x1p100 : $0 } }
    default: false
    }
  }

  private static func disagreements(_ frames: [[UInt8]], factor: Float = 1) -> [[UInt8]] {
    frames.filter { !areEqual(decoded($0, factor: factor), PolarFrameReference.read($0, factor: factor)) }
  }

  @Test(arguments: PolarFrameVector.all)
  func testEveryTruncation_ReadsAsTheReference(vector: PolarFrameVector) {
    let frames = (0...vector.bytes.count).map { Array(vector.bytes.prefix($0)) }
    #expect(Self.disagreements(frames, factor: vector.factor).isEmpty)
  }

  @Test(arguments: PolarFrameVector.all)
  func testEveryExtension_ReadsAsTheReference(vector: PolarFrameVector) {
    for fill: UInt8 in [0x00, 0x01, 0x08, 0x20, 0xFF] {
      let frames = (1...130).map { vector.bytes + Array(repeating: fill, count: $0) }
      #expect(Self.disagreements(frames, factor: vector.factor).isEmpty, "\(fill)")
    }
    let noise = SplitMix64.bytes(520, seed: 3)
    let frames = (1...520).map { vector.bytes + noise.prefix($0) }
    #expect(Self.disagreements(frames, factor: vector.factor).isEmpty)
  }

  @Test func testEveryTypeAndFormat_ReadsAsTheReference() {
    let noise = SplitMix64.bytes(150, seed: 5)
    var frames: [[UInt8]] = []
    for type in UInt8.min...UInt8.max {
      for format in UInt8.min...UInt8.max {
        let content = noise.prefix(Int(type ^ format) % 150)
        frames.append([type] + PolarFrameVector.time + [format] + content)
      }
    }
    #expect(frames.count == 65_536)
    #expect(Self.disagreements(frames).isEmpty)
  }

  /// Sizes of a difference up to nonsense, and every count.
  @Test(arguments: [[2, 0x81], [1, 0x88], [5, 0x81], [6, 0x81]] as [[UInt8]])
  func testEveryGroup_ReadsAsTheReference(kind: [UInt8]) {
    let reference = [2: 6, 1: 75, 5: 12, 6: 8][kind[0], default: 0]
    let channels = [2: 3, 1: 25, 5: 3, 6: 4][kind[0], default: 0]
    let noise = SplitMix64.bytes(512, seed: UInt64(kind[0]))
    let start = [kind[0]] + PolarFrameVector.time + [kind[1]] + noise.prefix(reference)
    var frames: [[UInt8]] = []
    for size in Array(0...64) + [128, 255] as [UInt8] {
      for count in [0, 1, 2, 3, 7, 8, 9, 31, 254, 255] as [UInt8] {
        let head = start + [size, count]
        let bytes = (Int(size) * Int(count) * channels + 7) / 8
        for length in Set([bytes - 1, bytes, bytes + 1, bytes + 4]) where length >= 0 && head.count + length <= 512 {
          frames.append(head + noise.dropFirst(100).prefix(length))
        }
      }
    }
    #expect(frames.count > 500)
    #expect(Self.disagreements(frames).isEmpty)
  }

  /// The largest frames have the most samples: one bit for each difference.
  @Test func testLongestFrames_HaveFewSamples() throws {
    let head: [UInt8] = [2] + PolarFrameVector.time + [0x81, 0, 0, 0, 0, 0, 0]
    var frame = head
    while frame.count + 98 <= 512 { frame += [1, 255] + Array(repeating: 0, count: 96) }
    let samples = try PolarMeasurementFrame.decode(frame).samples
    #expect(samples.count == 1 + 5 * 255)
    #expect(samples.count < 8 * frame.count)
    // Groups without samples.
    let empty = head + Array(repeating: [UInt8]([32, 0]), count: 248).flatMap { $0 }
    #expect(empty.count == 512)
    #expect(try PolarMeasurementFrame.decode(empty).samples.count == 1)
  }

  @Test func testSliceOfALargerBuffer_ReadsAsTheFrameAlone() throws {
    for vector in PolarFrameVector.all {
      let buffer = [0xDE, 0xAD, 0xBE] + vector.bytes + [0xEF, 0x01]
      let frame = try PolarMeasurementFrame.decode(buffer[3..<(3 + vector.bytes.count)], factor: vector.factor)
      #expect(PolarSampleRows.rows(frame.samples) == vector.rows, "\(vector)")
    }
  }
}
