import BlueZ
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit
import Testing

/// Streams that do not run: each fault is reported, tried again if that can help, and leaves the heart rate alone.
@Suite("Faults of measurement streams", .timeLimit(.minutes(5)))
struct SensorFaultTests {
  private static let indicationsRefused = FakeBlueZError.failed("Operation failed with ATT error: 0x80")

  @Test func testStrapWithoutTheService_IsReportedOnce() async throws {
    let bench = try await SensorBench(service: nil)
    await bench.listen()
    #expect(await bench.report() == SensorBench.report(.noService))
    #expect(await bench.receivesHeartRates())
    #expect(await bench.source.stop().sensors().isEmpty)
  }

  @Test func testMeasurementThatTheStrapLacks_LeavesTheOtherRunning() async throws {
    let bench = try await SensorBench([.init(.ppi), SensorBench.acceleration])
    await bench.start()
    #expect(await bench.report() == SensorBench.report(.unsupported, of: .ppi))
    #expect(await bench.writes == [[3, 2], [1, 2], SensorBench.start])
    #expect(await bench.receivesHeartRates())
    _ = await bench.source.stop()
  }

  @Test func testShortMTU_IsNotTried() async throws {
    let bench = try await SensorBench(mtu: 100)
    await bench.listen()
    #expect(await bench.report() == SensorBench.report(.mtuTooSmall(100)))
    #expect(await bench.receivesHeartRates())
    #expect(await bench.writes.isEmpty)
    _ = await bench.source.stop()
  }

  /// BlueZ may report 23 without knowing the MTU, so that only the strap can tell. Its settings then have two parts.
  @Test func testUnknownMTU_IsTriedOnce() async throws {
    let bench = try await SensorBench(mtu: 23)
    await bench.listen()
    #expect(await bench.report() == SensorBench.report(.refused(.invalidMTU)))
    #expect(await bench.receivesHeartRates())
    #expect(await bench.writes == [[3, 2], [1, 2], SensorBench.start])
    #expect(await bench.source.stop().sensors().isEmpty)
  }

  @Test func testStrapInCharger_IsTriedAgainWithGrowingDelays() async throws {
    let bench = try await SensorBench(speed: 20)
    await bench.fake.advertise(bench.strap)
    await bench.measurements.refuseStarts(.inCharger)
    await bench.listen()
    for seconds in [1, 2, 4] {
      #expect(await bench.report() == SensorBench.report(.refused(.inCharger), retry: .seconds(seconds)))
    }
    await bench.measurements.refuseStarts(nil)
    await bench.source.wait { $0.starts() == 1 }
    #expect(await bench.receivesHeartRates())
    _ = await bench.source.stop()
  }

  @Test func testRefusedIndications_AreTriedAgain() async throws {
    let bench = try await SensorBench(speed: 20)
    await bench.fake.refuse("StartNotify", Self.indicationsRefused, times: 2)
    await bench.start()
    for seconds in [1, 2] {
      #expect(await bench.report() == SensorBench.report(.call(.refused), retry: .seconds(seconds)))
    }
    #expect(await bench.receivesHeartRates())
    _ = await bench.source.stop()
  }

  @Test func testIndicationsRefusedForGood_AreGivenUp() async throws {
    let bench = try await SensorBench(speed: 2000)
    await bench.fake.refuse("StartNotify", Self.indicationsRefused, times: .max)
    await bench.listen()
    var retries: [Duration] = []
    while let retry = await bench.report()?.retry { retries.append(retry) }
    #expect(retries == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map { .seconds($0) })
    #expect(await bench.fake.calls(of: "StartNotify") == 13)
    #expect(await bench.receivesHeartRates())
    #expect(await bench.source.stop().sensors().isEmpty)
  }

  @Test(arguments: ["WriteValue", "StartNotify"])
  func testResponseThatNeverComes_IsTriedAgain(method: String) async throws {
    var timing = SensorStreamTiming.patient
    timing.call = .milliseconds(50)
    let bench = try await SensorBench(speed: 20, timing: timing)
    await bench.fake.stall(method)
    await bench.listen()
    #expect(await bench.report() == SensorBench.report(.call(.timedOut), retry: .seconds(1)))
    // A slow machine may exceed the short limit more than once.
    await bench.source.wait { $0.starts() > 0 }
    #expect(await bench.receivesHeartRates())
    _ = await bench.source.stop()
  }

  /// The daemon does not reply at all, so that the streams wait for the whole test.
  @Test(arguments: ["StartNotify", "ReadValue", "WriteValue", "AcquireNotify"])
  func testStalledCall_LeavesTheHeartRateAlone(method: String) async throws {
    let bench = try await SensorBench(way: method == "AcquireNotify" ? .signals : .acquire)
    await bench.fake.stall(method, times: .max)
    await bench.listen()
    _ = await bench.fake.waitUntil { $0.calls[method, default: 0] > 0 }
    #expect(await bench.receivesHeartRates())
    #expect(await bench.source.stop().sensors().isEmpty)
  }
}
