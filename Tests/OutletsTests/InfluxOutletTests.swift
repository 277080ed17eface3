import Foundation
import Synchronization
import TachogramContracts
import TachogramTestKit
import Testing

@testable import Outlets

@Suite("Influx outlet", .timeLimit(.minutes(15)))
struct InfluxOutletTests {
  @Test func testContract() async throws {
    try await OutletContract(try InfluxOutletSubject()).check()
  }

  @Test func testToken_IsSent_AndItsRefusalIsReported_WithoutIt() async throws {
    let server = try WebServer { request in
      .init(request.headers["authorization"] == "Token secret-1" ? 204 : 401)
    }
    defer { server.stop() }
    for (token, isGood) in [("secret-1", true), ("secret-2", false)] {
      let run = OutletRun(
        InfluxOutlet(
          InfluxOutletOptions(
            target: .server(url: server.base + "/write", token: token), key: try InfluxOutletSubject.key),
          sleep: OutletRun.yield))
      run.mailbox.put(OutletContract.reading(heartRate: 61))
      await run.end()
      let reports = run.reports
      #expect(reports.contains(.working) == isGood)
      #expect(!"\(reports)".contains("secret"))
      if !isGood { #expect("\(reports)".contains("influx.tokenFile")) }
    }
  }

  @Test func testBatchAfterAFailure_IsSmall_AndTheRestFollowsAtOnce() async throws {
    let sizes = Mutex<[Int]>([])
    let server = try WebServer { request in
      let number = sizes.withLock { sizes in
        sizes.append(request.body.count { $0 == UInt8(ascii: "\n") })
        return sizes.count
      }
      return .init(number == 1 ? 503 : 204)
    }
    defer { server.stop() }
    let writer = InfluxWriter(
      InfluxOutletOptions(target: .server(url: server.base + "/write", token: nil), key: try InfluxOutletSubject.key)
    ) { _ in }
    var delivery = OutletDelivery()
    delivery.readings = [OutletContract.reading(heartRate: 61)]
    delivery.beats = OutletContract.beats(from: 0, count: 1_199)
    await writer.add(delivery)
    for _ in 0..<3 { await writer.write() }
    #expect(sizes.withLock(\.self) == [1_200, InfluxBacklog.mostAfterFailure, 700])
  }

  @Test func testFile_HasWholeLines() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("heart.lp")
    for number in 0..<2 {
      let run = OutletRun(
        InfluxOutlet(
          InfluxOutletOptions(target: .file(path: path), key: try InfluxOutletSubject.key), sleep: OutletRun.yield))
      run.mailbox.put(OutletContract.reading(heartRate: 61))
      run.mailbox.put(OutletContract.beats(from: Int64(number) * 100, count: 100))
      await run.end()
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines.count { $0.hasPrefix("tachogram_beat") } == 200)
    #expect(Set(lines).count == lines.count - (lines.count { $0.hasPrefix("tachogram_reading") } - 1))
  }

  @Test func testFileThatCannotBeWritten_IsReported() async throws {
    let run = OutletRun(
      InfluxOutlet(
        InfluxOutletOptions(target: .file(path: "/proc/nowhere/heart.lp"), key: try InfluxOutletSubject.key),
        sleep: OutletRun.yield))
    run.mailbox.put(OutletContract.reading(heartRate: 61))
    await run.end()
    #expect("\(run.reports)".contains("/proc/nowhere/heart.lp cannot be written"))
  }
}
