import Foundation
import Sleep
import TachogramCore
import Testing

struct NightEstimatesTests {
  private static let count = 120

  private static func night(
    beats: Bool = false, rates: Range<Int>? = nil, movements: Range<Int>? = nil
  ) throws -> SleepNight {
    let ends = (0..<count * 34).map { (beat: Int) -> Int64 in Int64(beat * 900 + beat % 3 * 20) }
    return try SleepNight(
      epochCount: count, beats: beats ? NightBeats(beatsAt: ends) : NightBeats(),
      heartRates: (rates ?? 0..<0).map {
        HeartRateSample(time: Int64($0) * SleepAxis.ticksPerEpoch, beatsPerMinute: 55 + Double($0 % 9))
      },
      movements: (movements ?? 0..<0).map {
        MovementSample(time: Int64($0) * SleepAxis.ticksPerEpoch, intensity: Double($0 % 5))
      })
  }

  private static func names(_ night: SleepNight) -> [String] {
    let estimates = NightEstimates(night)
    return ([estimates.primary] + estimates.secondary).map(\.staged.estimator)
  }

  @Test func testEstimators_AreThoseOfTheInputs() throws {
    let all = 0..<Self.count
    let (ws, wrn) = ("sleepecg-ws-gru-mesa", "sleepecg-wrn-gru-mesa")
    #expect(try Self.names(Self.night(rates: all, movements: all)) == ["heart-rate-movement-night"])
    #expect(try Self.names(Self.night(rates: all)) == ["heart-rate-night"])
    #expect(try Self.names(Self.night(beats: true, movements: all)) == ["heart-rate-movement-night", wrn])
    #expect(try Self.names(Self.night(beats: true)) == ["heart-rate-night", ws, wrn])
    #expect(try Self.names(Self.night(movements: all)) == ["movement-night"])
    // Few movements, few heart rates, and neither.
    #expect(try Self.names(Self.night(rates: all, movements: 0..<50)) == ["heart-rate-night"])
    #expect(try Self.names(Self.night(rates: 0..<40, movements: all)) == ["movement-night"])
    #expect(try Self.names(Self.night()) == ["five-minute-heuristic"])
    #expect(NightEstimates(try Self.night()).primary.agreement == nil)
  }

  @Test func testMovementAlone_TellsSleepFromWakeOnly() throws {
    let primary = NightEstimates(try Self.night(movements: 0..<Self.count)).primary
    #expect(primary.staged.classes == [.wake, .asleep])
    #expect(primary.staged.stages.allSatisfy { [.wake, .asleep].contains($0) })
    #expect(primary.staged.epochs.allSatisfy { abs($0.probabilities.reduce(0, +) - 1) < 1e-12 })
    #expect(primary.agreement?.fourClasses == nil && primary.agreement?.sleepWake != nil)
  }

  @Test func testLiveEstimator_IsCausal() throws {
    let all = 0..<Self.count
    let live = [
      NightEstimates.live(for: try Self.night(rates: all, movements: all)),
      NightEstimates.live(for: try Self.night(beats: true)),
      NightEstimates.live(for: try Self.night(movements: all)),
    ]
    #expect(live.map { $0?.name } == ["heart-rate-movement-causal", "heart-rate-causal", "movement-causal"])
    #expect(live.allSatisfy { $0?.isCausal == true })
    #expect(NightEstimates.live(for: try Self.night()) == nil)
  }

  @Test func testReport_HasWhatProgramsNeed() throws {
    let night = try Self.night(beats: true)
    let estimates = NightEstimates(night)
    let data = try JSONEncoder().encode(try NightReport(estimates))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["estimator"] as? String == "heart-rate-night")
    #expect(report["epochSeconds"] as? Int == 30)
    #expect((report["attribution"] as? String)?.contains("Olivia Walch") == true)
    let agreement = try #require(report["agreement"] as? [String: [String: Double]])
    let kappa = try #require(estimates.primary.agreement?.fourClasses)
    #expect(agreement["fourClasses"] == ["value": kappa.value, "low": kappa.low, "high": kappa.high])
    let epochs = try #require(report["epochs"] as? [[String: Any]])
    #expect(epochs.compactMap { $0["start"] as? Int } == (0..<Self.count).map { 30 * $0 })
    #expect(epochs.compactMap { $0["stage"] as? String } == estimates.primary.staged.stages.map(\.rawValue))
    for (epoch, expected) in zip(epochs, estimates.primary.staged.epochs) {
      let probabilities = try #require(epoch["probabilities"] as? [String: Double])
      #expect(probabilities.count == 4)
      for (name, value) in zip(["wake", "light", "deep", "rem"], expected.probabilities) {
        #expect(abs(try #require(probabilities[name]) - value) < 1e-12)
      }
    }
    let metrics = try #require(report["metrics"] as? [String: Any])
    #expect(metrics["timeInBed"] as? Double == 60)
    #expect(report["qualityScore"] is Double)
    let others = try #require(report["others"] as? [[String: Any]])
    #expect(others.compactMap { $0["estimator"] as? String } == ["sleepecg-ws-gru-mesa", "sleepecg-wrn-gru-mesa"])
  }
}
