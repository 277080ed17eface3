import GATT
import Presentation
import Recording
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import CommandProcess
@testable import Reports
@testable import TerminalUI

/// What `record` says on standard error, which somebody may keep as a log.
struct RecordOutputTests {
  private static let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private static func event(_ content: StrapEvent.Content) -> StrapEvent {
    StrapEvent(
      strap: 0, monotonic: MonotonicTime(microseconds: 0), wall: WallTime(microseconds: 1_700_000_000_000_000),
      content: content)
  }

  /// The lines of a link that goes through all that can happen to it.
  private static func lines(of identity: StrapIdentity, known: [KnownStrap] = []) async throws -> [String] {
    let lines = Lines()
    let output = RecordOutput(
      format: .text, sink: LineSink {}, names: StrapNames(known: known),
      report: { line in lines.all.withLock { $0.append(line) } })
    let states = LinkPhase.allCases.flatMap { phase in
      (LinkReason.allCases.map(Optional.some) + [nil]).map { reason in
        event(.state(LinkState(phase: phase, reason: reason, since: MonotonicTime(microseconds: 0))))
      }
    }
    let measurement = HeartRateMeasurement(heartRate: 143, rrIntervals: RRIntervals([RRInterval(ticks: 431)]))
    let script =
      [event(.identified(identity)), event(.linkUp(handle: 16, handleSource: .discovered, bootID: nil))]
      + [event(.notification(HeartRateMeasurementCodec.encode(measurement)))] + states
    _ = try await LiveRecorder(
      source: ScriptedSource(script), options: LiveOptions(isStored: false), time: ManualTimeSource(), database: nil,
      observe: output.observe
    ).run()
    return lines.all.withLock { $0 }
  }

  @Test func testSummary_SaysWhyLinksEnded() async throws {
    let measurement = HeartRateMeasurement(heartRate: 143, rrIntervals: RRIntervals([RRInterval(ticks: 431)]))
    let value = Self.event(.notification(HeartRateMeasurementCodec.encode(measurement)))
    let up = Self.event(.linkUp(handle: 16, handleSource: .discovered, bootID: nil))
    let ends: [UInt8] = [0x13, 0x08, 0x13, 0x42, 0x00, 0x16]
    let script =
      [Self.event(.identified(StrapIdentity(address: Self.address)))]
      + ends.flatMap { [up, value, Self.event(.linkDown(reason: $0))] }
    let ended = try await LiveRecorder(
      source: ScriptedSource(script), options: LiveOptions(isStored: false), time: ManualTimeSource(), database: nil,
      observe: { _ in }
    ).run()
    let text = TextReport(RecordReport(ended, database: "t.sqlite")).text
    #expect(
      text.contains(
        "6, lost 5 time(s): 2 × ended by the strap, 1 × reason unknown, 1 × out of range, 1 × code 0x42"))
  }

  @Test func testStrapWithoutAName_IsTheLastByteOfItsAddress() async throws {
    let lines = try await Self.lines(of: StrapIdentity(address: Self.address))
    #expect(lines.count == LinkPhase.allCases.count * (LinkReason.allCases.count + 1))
    #expect(lines.allSatisfy { $0.contains("  …:17: ") && !$0.contains("C8:DE") && !$0.contains("143") })
  }

  @Test func testKnownStrap_HasTheNameThatWasGivenToIt() async throws {
    let known = KnownStrap(address: Self.address, name: "Anna", added: WallTime(microseconds: 0))
    let lines = try await Self.lines(of: StrapIdentity(address: Self.address), known: [known])
    #expect(lines.allSatisfy { $0.contains("  Anna: ") })
  }

  @Test func testStrapThatCallsItselfAnAddress_IsShortenedToo() async throws {
    let name = Array("C8:DE:AD:BE:EF:17".utf8)
    let lines = try await Self.lines(
      of: StrapIdentity(address: Self.address, characteristics: [GATTUUID.deviceName: name]))
    #expect(lines.allSatisfy { $0.contains("  …:17: ") })
  }
}
