import Logging
import Synchronization
import TachogramCore
import Testing

@testable import Station

@Suite("Links in the journal")
struct LinkJournalTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  /// What is told of a strap that goes through these states.
  private static func lines(_ states: [(LinkPhase, LinkReason?)], strap: Int = 0) -> [String] {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in
      JournalLog(level: .info, environment: ["JOURNAL_STREAM": "8:1"]) { line in lines.all.withLock { $0.append(line) }
      }
    }
    let journal = LinkJournal(logger)
    for (phase, reason) in states { journal.handle(event(.state(state(phase, reason)), strap)) }
    return lines.all.withLock { $0 }
  }

  private static func state(_ phase: LinkPhase, _ reason: LinkReason? = nil) -> LinkState {
    LinkState(phase: phase, reason: reason, since: MonotonicTime(microseconds: 0))
  }

  private static func event(_ content: StrapEvent.Content, _ strap: Int) -> StrapEvent {
    StrapEvent(
      strap: strap, monotonic: MonotonicTime(microseconds: 0), wall: WallTime(microseconds: 0), content: content)
  }

  @Test func testStrapThatComesAndGoes_IsALineEach() {
    let lines = Self.lines([
      (.idle, nil), (.scanning, nil), (.connecting, nil), (.resolving, nil), (.subscribing, nil), (.live, nil),
      (.backingOff, .linkLost), (.scanning, nil), (.connecting, nil), (.backingOff, .timedOut), (.live, nil),
    ])
    #expect(lines.count == 3)
    #expect(lines.first?.hasSuffix("receiving data from the strap strap=0") == true)
    #expect(lines.dropFirst().first?.contains("no longer receiving") == true)
    #expect(lines.dropFirst().first?.contains("the link was lost") == true)
    #expect(lines.last?.hasSuffix("receiving data from the strap strap=0") == true)
  }

  /// A strap that nobody wears is looked for over and over.
  @Test func testSearch_IsNotTold() {
    let round: [(LinkPhase, LinkReason?)] = [(.scanning, nil), (.connecting, nil), (.backingOff, .timedOut)]
    #expect(Self.lines((0..<100).flatMap { _ in round }).isEmpty)
  }

  @Test func testBluetoothThatGoes_IsToldOnceWithTheReason() {
    let lines = Self.lines([
      (.live, nil), (.daemonAbsent, .noDaemon), (.adapterAbsent, .adapterMissing), (.scanning, nil), (.live, nil),
    ])
    #expect(lines.count == 4)
    #expect(lines.dropFirst().first?.contains("there is no Bluetooth") == true)
    #expect(lines.dropFirst().first?.contains("the Bluetooth daemon is not running") == true)
    #expect(lines.dropFirst(2).first?.contains("Bluetooth is back") == true)
  }

  @Test func testSummary_IsOfAllStraps() {
    let journal = LinkJournal(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    #expect(journal.summary == "no data from any strap")
    for strap in 0..<3 { journal.handle(Self.event(.state(Self.state(.live)), strap)) }
    journal.handle(Self.event(.state(Self.state(.backingOff, .linkLost)), 1))
    #expect(journal.summary == "receiving data from 2 of 3 straps")
    journal.handle(Self.event(.dismissed, 1))
    #expect(journal.summary == "receiving data from 2 of 2 straps")
    journal.handle(Self.event(.state(Self.state(.daemonAbsent, .noDaemon)), 0))
    #expect(journal.summary == "there is no Bluetooth")
    for strap in [0, 2] { journal.handle(Self.event(.state(Self.state(.scanning)), strap)) }
    #expect(journal.summary == "no data from any strap")
  }

  @Test func testStationWithoutBluetooth_SaysSoAtItsStart() {
    #expect(Self.lines([(.daemonAbsent, .noBus)]).count == 1)
  }
}
