import Foundation
import GATT
import Recording
import TachogramCore
import TachogramTestKit
import Testing

/// Movement from acceleration frames, against a computation that knows the whole signal.
@Suite("Movement")
struct MovementDeriverTests {
  private static let start = MonotonicTime(microseconds: 5_000_000_000)
  private static let request = PolarControlPointRequest.encode(
    .start(.acceleration, PolarSettings([.sampleRate([25]), .resolution([16]), .range([2])])))

  private static func response(factor: Float? = nil) -> [UInt8] {
    PolarControlPointResponse.encode(
      PolarControlPointResponse(
        to: .start, .acceleration, status: .success,
        parameters: factor.map { PolarSettings.encode(PolarSettings([.factor([$0])])) } ?? []))
  }

  /// A stream of 25 Hz in frames of `size` samples; `signal` is the acceleration at a time in seconds from the start.
  private static func entries(
    seconds: Double, size: Int, factor: Float? = nil, without lost: Range<Double>? = nil,
    _ signal: (Double) -> PolarAccelerationSample
  ) -> [SensorEntry] {
    var contents: [(Double, SensorEntry.Content)] = [
      (0, .started(request: request, response: response(factor: factor)))
    ]
    let count = Int(seconds * 25)
    for first in stride(from: 0, to: count, by: size) {
      let places = first..<min(count, first + size)
      let samples = places.map { signal(Double($0) / 25) }
      let end = Double(places.upperBound - 1) / 25
      if let lost, lost.contains(end) { continue }
      let time = 600_000_000_000_000_000 + UInt64((end * 1e9).rounded())
      contents.append((end, .frame(PolarAccelerationCodec.encode(samples, time: time, format: .raw(1)) ?? [])))
    }
    return contents.enumerated().map { place, entry in
      SensorEntry(
        sequence: Int64(place), link: 0, monotonic: start.advanced(byMicroseconds: Int64((entry.0 * 1e6).rounded())),
        wall: WallTime(microseconds: 0), content: entry.1)
    }
  }

  private static func epochs(_ entries: [SensorEntry]) -> [MovementEpoch] {
    var deriver = MovementDeriver(start: start)
    for entry in entries { deriver.ingest(entry) }
    deriver.finish()
    return deriver.drain()
  }

  private static func signal(_ time: Double) -> PolarAccelerationSample {
    // A turn in bed in the second epoch, breath all the time.
    let turn = (35..<42).contains(time) ? 400 * sin(time * 3) : 0
    return PolarAccelerationSample(
      x: Int32((6 * sin(time * 1.6) + turn).rounded()), y: Int32((30 * cos(time * 0.7)).rounded()), z: 980)
  }

  /// The definition, computed from all samples at once.
  private static func expected(epoch: Int, seconds: Double) -> (intensity: Double, coverage: Double) {
    let count = Int(seconds * 25)
    var tenths: [Int: [PolarAccelerationSample]] = [:]
    for place in 0..<count { tenths[place * 10 / 25, default: []].append(signal(Double(place) / 25)) }
    func mean(_ tenth: Int) -> (Double, Double, Double)? {
      tenths[tenth].map { samples in
        let n = Double(samples.count)
        return (
          samples.reduce(0) { $0 + Double($1.x) } / n, samples.reduce(0) { $0 + Double($1.y) } / n,
          samples.reduce(0) { $0 + Double($1.z) } / n
        )
      }
    }
    let places = epoch * 300..<(epoch + 1) * 300
    let changes = places.compactMap { place -> Double? in
      guard let a = mean(place - 1), let b = mean(place) else { return nil }
      return ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1) + (a.2 - b.2) * (a.2 - b.2)).squareRoot()
    }
    return (
      changes.reduce(0, +) / Double(changes.count), Double(places.count { tenths[$0] != nil }) / 300
    )
  }

  @Test(arguments: [1, 7, 36, 73]) func testEpochs_AreThoseOfTheWholeSignal(size: Int) throws {
    let found = Self.epochs(Self.entries(seconds: 95, size: size, Self.signal))
    try #require(found.count == 4)
    for (number, epoch) in found.enumerated() {
      let expected = Self.expected(epoch: number, seconds: 95)
      #expect(epoch.time == Self.start.advanced(by: .seconds(30 * number)))
      #expect(abs(epoch.intensity - expected.intensity) < 1e-9 * max(1, expected.intensity), "epoch \(number)")
      #expect(abs(epoch.coverage - expected.coverage) < 1e-9)
    }
    #expect(found[1].intensity > 5 * found[0].intensity)
  }

  @Test func testStillStrap_HasNoMovement() {
    let found = Self.epochs(Self.entries(seconds: 60, size: 36) { _ in PolarAccelerationSample(x: 0, y: 0, z: 1000) })
    #expect(found.map(\.intensity) == [0, 0])
    #expect(found.allSatisfy { $0.coverage == 1 })
  }

  @Test func testLostFrames_AreLessCoverageAndNoMovement() throws {
    // After the loss, gravity is in another direction: that is no movement of the time when nothing was received.
    let found = Self.epochs(
      Self.entries(seconds: 60, size: 25, without: 10.0..<40) { time in
        time < 25
          ? PolarAccelerationSample(x: 1000, y: 0, z: 0) : PolarAccelerationSample(x: 0, y: 1000, z: 0)
      })
    try #require(found.count == 2)
    #expect(found.map(\.intensity) == [0, 0])
    #expect(abs(found[0].coverage - 1.0 / 3) < 0.04 && abs(found[1].coverage - 2.0 / 3) < 0.04)
  }

  @Test func testEpochWithoutFrames_IsLeftOut() {
    let found = Self.epochs(Self.entries(seconds: 120, size: 25, without: 29.0..<61, Self.signal))
    #expect(found.map { $0.time.microseconds(since: Self.start) / 30_000_000 } == [0, 2, 3])
  }

  /// A night that is read again in another grouping of its entries has the same movement.
  @Test func testMovement_DoesNotDependOnWhenItIsDrained() {
    let entries = Self.entries(seconds: 200, size: 36, Self.signal)
    var (deriver, found) = (MovementDeriver(start: Self.start), [MovementEpoch]())
    for entry in entries {
      deriver.ingest(entry)
      found += deriver.drain()
    }
    deriver.finish()
    #expect(found + deriver.drain() == Self.epochs(entries))
  }

  @Test func testOtherMeasurementsAndGarbage_AreIgnored() {
    var entries = Self.entries(seconds: 60, size: 36, Self.signal)
    let expected = Self.epochs(entries)
    let garbage: [SensorEntry.Content] = [
      .frame([]), .frame([2]), .frame([2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]), .frame(Array(repeating: 0xFF, count: 244)),
      .frame(PolarECGCodec.encode(microvolts: [1, 2, 3], time: 9)), .started(request: [], response: []),
      .started(request: [2, 0], response: [0xF0]), .stopped([]), .stopped([1, 0]),
    ]
    for (place, content) in garbage.enumerated() {
      var entry = entries[2 + 3 * place]
      entry.content = content
      entries.insert(entry, at: 2 + 3 * place)
    }
    #expect(Self.epochs(entries) == expected)
  }

  @Test func testTimesOfAClockThatIsSet_DoNotMoveSamplesFarAway() {
    let entries = Self.entries(seconds: 60, size: 25, Self.signal).map { entry in
      var entry = entry
      guard case .frame(let bytes) = entry.content, entry.sequence >= 30 else { return entry }
      // The strap's clock jumps to 2000.
      entry.content = .frame([bytes[0]] + Array(repeating: 0, count: 7) + [UInt8(entry.sequence)] + bytes[9...])
      return entry
    }
    let found = Self.epochs(entries)
    #expect(found.count == 2 && found.allSatisfy { $0.coverage > 0.9 })
  }
}
