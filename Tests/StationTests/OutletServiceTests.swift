import Logging
import Outlets
import Synchronization
import Testing

@testable import Station

struct OutletServiceTests {
  /// An outlet that makes its reports and ends.
  private struct ReportingOutlet: OutletProtocol {
    let name = "test"
    let wantsBeats = false
    let reports: [OutletReport]

    func run(_ mailbox: OutletMailbox, report: @escaping @Sendable (OutletReport) -> Void) async {
      for each in reports { report(each) }
    }
  }

  /// The same wish twice is passed on twice: in between, the strap may have been forgotten.
  @Test func testWishesOfPeople_AreDoneInTheirOrder() async throws {
    let wishes = [(1, false), (2, false), (2, false), (1, true), (1, false)]
    let reports = wishes.map { OutletReport.recording(strap: $0.0, isWanted: $0.1) }
    let hub = OutletHub([ReportingOutlet(reports: [.working] + reports + [.failing("gone")])])
    let done = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let service = OutletService(member: hub.members[0], logger: logger) { isWanted, strap in
      await Task.yield()
      done.withLock { $0.append("\(strap) \(isWanted)") }
    }
    try await service.run()
    #expect(done.withLock { $0 } == wishes.map { "\($0.0) \($0.1)" })
  }
}
