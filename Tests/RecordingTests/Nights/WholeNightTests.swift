import Foundation
import GATT
import Pipeline
import Recording
import Repository
import Sleep
import TachogramCore
import TachogramTestKit
import Testing

/// Eight hours of a virtual strap with acceleration, recorded at speed: contact is lost, and the link twice.
@Suite("A whole night")
struct WholeNightTests {
  private static let hours = 8
  /// The seconds without contact, during which the strap repeats a heart rate and sends no intervals.
  private static let withoutContact = 3 * 3_600..<3 * 3_600 + 1_500
  /// The seconds without a link.
  private static let withoutLink = [5 * 3_600..<5 * 3_600 + 900, 6 * 3_600..<6 * 3_600 + 20]

  private static func record(
    _ events: [StrapEvent], in database: TachogramDatabase
  ) async throws -> String {
    let recorder = LiveRecorder(
      source: ScriptedSource(events), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: database, observe: { _ in })
    return try #require(try await recorder.run().first?.report.session.id)
  }

  private static func events() -> [StrapEvent] {
    let sleeper = SimulatedSleeper()
    var script = EventScript()
    var (frame, isUp, beat) = (0, false, 0.0)
    var random = SplitMix64(seed: 7)
    for second in 0..<hours * 3_600 {
      let hasLink = !withoutLink.contains { $0.contains(second) }
      if hasLink != isUp {
        isUp = hasLink
        if hasLink {
          script.up()
          script.add(.sensor(.started(request: start, response: started)))
        } else {
          script.add(.linkDown(reason: 0x08))
        }
      }
      script.pass(seconds: 1)
      let due = Int(Double(second + 1) * SimulatedSleeper.accelerationRate) / SimulatedSleeper.accelerationCount
      while frame < due {
        if hasLink { script.add(.sensor(.frame(sleeper.accelerationFrame(frame)))) }
        frame += 1
      }
      let isWorn = !withoutContact.contains(second)
      var intervals: [RRInterval] = []
      // Slower in the second half of each cycle of 90 minutes, with the breath in it.
      let phase = Double(second % 5_400) / 5_400
      while beat < Double(second + 1) {
        let rr =
          1.02 + 0.08 * phase + 0.03 * sin(2 * .pi * 0.23 * beat) + 0.01 * Double.random(in: -1...1, using: &random)
        beat += rr
        if isWorn { intervals.append(RRInterval(ticks: UInt16((rr * 1024).rounded()))) }
      }
      guard hasLink else { continue }
      let value = HeartRateMeasurement(
        heartRate: 56, contact: isWorn ? .detected : .notDetected, rrIntervals: RRIntervals(intervals))
      script.add(.notification(HeartRateMeasurementCodec.encode(value)))
    }
    return script.events
  }

  private static let start = PolarControlPointRequest.encode(
    .start(.acceleration, PolarSettings([.sampleRate([25]), .resolution([16]), .range([2])])))
  private static let started = PolarControlPointResponse.encode(
    PolarControlPointResponse(to: .start, .acceleration, status: .success))

  @Test func testNight_HasStagesMetricsAndGaps() async throws {
    let database = try TachogramDatabase.inMemory()
    let session = try await Self.record(Self.events(), in: database)
    let repository = SessionRepository(database: database)
    let record = try repository.session(matching: session)
    #expect(try repository.sessions().count == 1)
    // One gap for each loss: of the contact, and of the links.
    #expect(try repository.gaps(of: session).filter { $0.microseconds > 10_000_000 }.count == 3)

    let night = try SessionNight(record, in: database, timeZone: .gmt)
    let staging = night.staging(NightEstimates(night.night).primary.staged)
    let stages = staging.stages
    #expect(abs(stages.count - Self.hours * 120) <= 2)
    // Nothing is guessed where nothing was received, up to the windows that reach into it.
    for lost in [Self.withoutContact, Self.withoutLink[0]] {
      let inside = lost.lowerBound / 30 + 8..<lost.upperBound / 30 - 8
      #expect(stages[inside].allSatisfy { [.unknown, .asleep].contains($0) }, "\(lost)")
    }
    #expect(stages.count { $0 == .unknown } < 120)
    let metrics = try SleepMetrics(stages)
    #expect(metrics.totalSleepTime > 0 && metrics.timeInBed == Double(stages.count) / 2)
    #expect((45...60).contains(try #require(staging.lowestHeartRate)))
    #expect(try #require(staging.rmssd) > 5)

    let movement = try SleepRepository(database: database).movement(of: session)
    // Every epoch but those without a link.
    let lost = Self.withoutLink.reduce(0) { $0 + $1.count / 30 }
    #expect(abs(movement.count - (Self.hours * 120 - lost)) <= 4)
    let moved = movement.filter { $0.intensity > Restlessness.movementOfStraps }
    #expect((28...36).contains(moved.count), "a turn in each quarter of an hour")
  }

  /// Acceleration adds at most 6 MB as it was received.
  @Test func testSize_IsLimited() async throws {
    let events = Self.events()
    let whole = try await size(events)
    let without = try await size(events.filter { if case .sensor = $0.content { false } else { true } })
    #expect((4_000_000...6_000_000).contains(whole - without), "\(whole - without) bytes")
  }

  private func size(_ events: [StrapEvent]) async throws -> Int64 {
    let folder = try TemporaryFolder()
    let database = try TachogramDatabase.open(path: folder.path("night.sqlite"))
    _ = try await Self.record(events, in: database)
    _ = try database.emptyLog()
    return database.size
  }
}
