import GATT
import TachogramCore
import Testing

@testable import BlueZ

@Suite("Plan of measurement streams")
struct SensorStreamPlanTests {
  private static let start = MonotonicTime(microseconds: 1_000_000_000)

  private static func at(_ seconds: Int) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

  private static func plan(_ measurements: PolarMeasurementType...) -> SensorStreamPlan {
    SensorStreamPlan(measurements.map { SensorStreamRequest($0) }, at: start)
  }

  @Test func testWantedStreams_AreDueOneAfterTheOther() {
    var plan = Self.plan(.acceleration, .ecg, .acceleration)
    #expect(plan.measurements == [.acceleration, .ecg])
    #expect(plan.due(at: Self.at(0))?.request.measurement == .acceleration)
    #expect(plan.due(at: Self.at(0))?.stopsFirst == false)
    plan.started(.acceleration, number: 1, at: Self.at(0))
    #expect(plan.due(at: Self.at(0))?.request.measurement == .ecg)
    plan.started(.ecg, number: 2, at: Self.at(0))
    #expect(plan.due(at: Self.at(1000)) == nil)
    #expect(plan.deadline == nil)
  }

  @Test func testFailedStart_IsDueAgainAfterAStop() {
    var plan = Self.plan(.acceleration)
    #expect(plan.failed(.acceleration, .noResponse, at: Self.at(0)) == .seconds(1))
    #expect(plan.deadline == Self.at(1))
    #expect(plan.due(at: Self.at(0)) == nil)
    #expect(plan.due(at: Self.at(1))?.stopsFirst == true)
    #expect(plan.failed(.acceleration, .refused(.inCharger), at: Self.at(1)) == .seconds(2))
    #expect(plan.deadline == Self.at(3))
  }

  @Test(
    arguments: [
      .unsupported, .mtuTooSmall(100), .refused(.invalidMTU), .refused(.notSupported),
      .refused(.invalidMeasurementType),
    ] as [SensorStreamFault])
  func testFaultThatRemains_GivesTheStreamUp(fault: SensorStreamFault) {
    var plan = Self.plan(.acceleration, .ecg)
    #expect(plan.failed(.acceleration, fault, at: Self.at(0)) == nil)
    #expect(plan.measurements == [.ecg])
    plan.opened(at: Self.at(10))
    #expect(plan.due(at: Self.at(10))?.request.measurement == .ecg)
  }

  /// A strap may also give notice of a stream that was stopped before this start.
  @Test func testNotice_ConcernsTheStreamThatWasStartedBeforeIt() {
    var plan = Self.plan(.acceleration, .ecg)
    plan.started(.acceleration, number: 5, at: Self.at(0))
    #expect(!plan.isRunning(.acceleration, before: 4))
    #expect(plan.isRunning(.acceleration, before: 6))
    #expect(!plan.isRunning(.ecg, before: 6))
  }

  @Test func testStreamThatRanForAMinute_IsTriedAsAtFirst() {
    var plan = Self.plan(.acceleration)
    var delays: [Duration?] = []
    for ran in [0, 59, 60, 1] {
      plan.started(.acceleration, number: 1, at: Self.at(0))
      delays.append(plan.ended(.acceleration, at: Self.at(ran)))
    }
    #expect(delays == [.seconds(1), .seconds(2), .seconds(1), .seconds(2)])
  }

  @Test func testOpening_StartsAllStreamsAgain() {
    var plan = Self.plan(.acceleration, .ecg)
    plan.started(.acceleration, number: 1, at: Self.at(0))
    _ = plan.failed(.ecg, .noResponse, at: Self.at(0))
    plan.opened(at: Self.at(0))
    #expect(plan.due(at: Self.at(0))?.request.measurement == .acceleration)
    #expect(plan.due(at: Self.at(0))?.stopsFirst == false)
    plan.started(.acceleration, number: 2, at: Self.at(0))
    #expect(plan.due(at: Self.at(0))?.request.measurement == .ecg)
  }

  @Test func testRetries_HaveTheDelaysOfTheTable() {
    var retries = SensorStreamRetries()
    let delays = (0..<14).map { _ in retries.next() }
    let table: [Int?] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, nil, nil]
    #expect(delays == table.map { $0.map { .seconds($0) } })
  }
}
