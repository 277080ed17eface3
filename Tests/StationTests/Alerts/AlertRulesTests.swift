import TachogramCore
import Testing

@testable import Station

@Suite("Alerts")
struct AlertRulesTests {
  private static let limits = StationConfiguration.Alerts(
    stressMinutes: 10, batteryPercent: 15, silenceMinutes: 5)

  private static func minute(_ minute: Double) -> WallTime {
    WallTime(microseconds: 1_767_225_600_000_000 + Int64(minute * 60_000_000))
  }

  private static func strap(
    stress: Double? = nil, battery: UInt8? = nil, heard: Double? = nil, inSession: Bool = true
  ) -> AlertRules.Strap {
    AlertRules.Strap(
      name: "H10", stress: stress, batteryPercent: battery, lastHeard: heard.map(minute), isInSession: inSession)
  }

  @Test func testStress_IsToldOnceWhenItStaysHigh() {
    var rules = AlertRules()
    func at(_ minute: Double, _ level: Double?) -> [AlertRules.Kind] {
      rules.update([Self.strap(stress: level)], .init(), limits: Self.limits, at: Self.minute(minute)).map(\.kind)
    }
    #expect(at(0, 80) == [])
    #expect(at(5, 74.9) == [])
    #expect(at(6, 75) == [])
    #expect(at(15.9, 90) == [])
    #expect(at(16, 90) == [.highStress])
    #expect(at(17, 90) == [])
    #expect(rules.alerts.map(\.kind) == [.highStress])
    #expect(rules.alerts.first?.since == Self.minute(16))
    #expect(at(18, nil) == [])
    #expect(rules.alerts.isEmpty)
    #expect(at(19, 90) == [])
    #expect(at(29, 90) == [.highStress])
  }

  @Test func testBattery_IsLowUntilItWasCharged() {
    var rules = AlertRules()
    func at(_ minute: Double, _ percent: UInt8?) -> Int {
      rules.update([Self.strap(battery: percent)], .init(), limits: Self.limits, at: Self.minute(minute)).count
    }
    #expect(at(0, 15) == 0)
    #expect(at(1, 14) == 1)
    #expect(at(2, 16) == 0)
    #expect(rules.alerts.count == 1)
    #expect(at(3, 14) == 0)
    #expect(at(4, 20) == 0)
    #expect(rules.alerts.isEmpty)
    #expect(at(5, 255) == 0)
    #expect(at(6, nil) == 0)
  }

  @Test func testSilence_IsToldOnlyOfAStrapThatIsWorn() {
    var rules = AlertRules()
    func at(_ minute: Double, heard: Double?, inSession: Bool = true) -> Int {
      rules.update(
        [Self.strap(heard: heard, inSession: inSession)], .init(), limits: Self.limits, at: Self.minute(minute)
      ).count
    }
    #expect(at(0, heard: nil) == 0)
    #expect(at(4.9, heard: 0) == 0)
    #expect(at(5, heard: 0, inSession: false) == 0)
    #expect(at(5, heard: 0) == 1)
    #expect(at(6, heard: 6) == 0)
    #expect(rules.alerts.isEmpty)
  }

  @Test func testLimitsOfZero_TellNothing() {
    var rules = AlertRules()
    let never = StationConfiguration.Alerts(stressMinutes: 0, batteryPercent: 0, silenceMinutes: 0)
    for minute in [0.0, 1000] {
      let new = rules.update(
        [Self.strap(stress: 100, battery: 0, heard: 0)], .init(), limits: never, at: Self.minute(minute))
      #expect(new.isEmpty)
    }
  }

  @Test func testTheStationItself_IsTold() {
    var rules = AlertRules()
    let machine = AlertRules.Machine(isDiskLow: true, damage: "page 7. Restore it.", snapshotProblem: "no room")
    let new = rules.update([], machine, limits: Self.limits, at: Self.minute(0))
    #expect(new.map(\.kind) == [.damaged, .diskLow, .snapshotFailed])
    #expect(new.first?.text == "The database is damaged: page 7. Restore it.")
    #expect(new.last?.text.contains("no room") == true)
    #expect(rules.update([], machine, limits: Self.limits, at: Self.minute(1)).isEmpty)
    #expect(rules.update([], .init(), limits: Self.limits, at: Self.minute(2)).isEmpty)
    #expect(rules.alerts.isEmpty)
  }
}
