import Foundation
import StressKit
import TachogramCore
import Testing

@testable import Sync

@Suite("Chunks of measurements and nights")
struct ChunkCodecTests {
  private static let session = "0b1e2d3c-0000-4000-8000-000000000001"

  private func measurements() -> MeasurementChunk {
    let levels = (0..<200).map { number in
      let time = WallTime(microseconds: 1_774_746_000_000_000 + Int64(number) * 60_000_001)
      // Every third one does not derive from its session and time.
      let id =
        number % 3 == 0 ? UUID() : StressMeasurement.derivedID(session: Self.session, microseconds: time.microseconds)
      return StressMeasurement(
        id: id, timestamp: time.date, stressLevel: Double(number % 101) / 1.0000001, category: .moderate,
        confidence: 1 / 3,
        hrv: 51.123456789, kind: number % 2 == 0 ? .sdnn : .rmssd, heartRate: 61.1, restingHeartRate: 55,
        person: number % 5 == 0 ? nil : "Zoé", sessionID: number % 7 == 0 && number % 3 == 0 ? nil : Self.session,
        deviceID: "b5a3", modified: time.date.addingTimeInterval(5))
    }
    let reading = HRVReading(
      id: UUID().uuidString.lowercased(), kind: .morning, person: "Zoé", session: nil,
      start: WallTime(microseconds: -5), duration: .seconds(60), coverage: 0.98, artifactShare: 0, count: 61,
      meanHeartRate: 60.5, sdnn: nil, rmssd: 42.25)
    return MeasurementChunk(levels: levels, readings: [reading, reading])
  }

  private func derived() -> MeasurementChunk {
    let time = WallTime(microseconds: 1_774_742_400_000_000)
    return MeasurementChunk(derivation: LevelDerivation(session: Self.session, time: time, isWhole: true))
  }

  private func periods(from start: MonotonicTime) -> [SleepStagePeriod] {
    SleepStage.allCases.enumerated().map { place, stage in
      let begin = start.advanced(by: .seconds(place * 300))
      return SleepStagePeriod(start: begin, end: begin.advanced(by: .seconds(270)), stage: stage)
    }
  }

  private func night() -> NightChunk {
    let start = MonotonicTime(microseconds: 77_000_000)
    var night = SleepSession(
      session: Self.session, origin: .automatic, lightsOff: start, lightsOn: start.advanced(by: .seconds(28_800)))
    night.staging = SleepSession.Staging(
      estimator: "network", periods: periods(from: start), lowestHeartRate: 48.5, meanHeartRate: nil, rmssd: 1 / 3)
    let movement = (0..<960).map { number -> MovementEpoch in
      let coverage = number % 9 == 0 ? 0.5 : 1
      return MovementEpoch(
        time: start.advanced(by: .seconds(30 * number)), intensity: Double(number % 17) / 7, coverage: coverage)
    }
    return NightChunk(session: Self.session, night: night, movement: movement)
  }

  @Test func testMeasurements_RoundTrip_ExactToTheBit() throws {
    let chunk = measurements()
    let bytes = try MeasurementChunkCodec.encode(chunk)
    #expect(try MeasurementChunkCodec.decode(bytes) == chunk)
    for isWhole in [true, false] {
      var derived = chunk
      let time = WallTime(microseconds: -1)
      derived.derivation = LevelDerivation(session: Self.session, time: time, isWhole: isWhole)
      #expect(try MeasurementChunkCodec.decode(MeasurementChunkCodec.encode(derived)) == derived)
    }
    let empty = MeasurementChunk()
    #expect(try MeasurementChunkCodec.decode(MeasurementChunkCodec.encode(empty)) == empty)
  }

  @Test func testNights_RoundTrip_ExactToTheBit() throws {
    let chunk = night()
    #expect(try NightChunkCodec.decode(NightChunkCodec.encode(chunk)) == chunk)
    let forgotten = NightChunk(session: Self.session, night: nil, movement: [])
    #expect(try NightChunkCodec.decode(NightChunkCodec.encode(forgotten)) == forgotten)
    var running = chunk
    running.night?.lightsOn = nil
    running.night?.staging = nil
    #expect(try NightChunkCodec.decode(NightChunkCodec.encode(running)) == running)
  }

  /// Every cut and every changed byte of the content is refused, or is a chunk with valid values; none traps.
  @Test func testDamagedContents_AreRefused_OrAreValid() throws {
    var (refused, accepted) = (0, 0)
    for (field, bytes) in [
      ("measurements", try MeasurementChunkCodec.encode(measurements())),
      ("derived", try MeasurementChunkCodec.encode(derived())),
      ("night", try NightChunkCodec.encode(night())),
    ] {
      let content = try Deflate.expanded(bytes, limit: LedgerChunkLimits.expanded, field: field)
      func attempt(_ content: [UInt8]) throws {
        let packed = try #require(Deflate.compressed([content]))
        do {
          if field == "night" {
            _ = try NightChunkCodec.decode(packed)
          } else {
            let chunk = try MeasurementChunkCodec.decode(packed)
            #expect(chunk.levels.allSatisfy { (0...100).contains($0.stressLevel) && $0.heartRate > 0 })
          }
          accepted += 1
        } catch {
          refused += 1
        }
      }
      for place in stride(from: 0, to: content.count, by: 97) {
        try attempt(Array(content[..<place]))
        for value in [0, 0xFF, content[place] ^ 0x80] as [UInt8] where value != content[place] {
          var changed = content
          changed[place] = value
          try attempt(changed)
        }
      }
    }
    #expect(refused > 200 && accepted > 0)
    #expect(throws: FormatFailure.self) { try NightChunkCodec.decode([1, 2, 3]) }
    #expect(throws: FormatFailure.self) { try MeasurementChunkCodec.decode([]) }
  }
}
