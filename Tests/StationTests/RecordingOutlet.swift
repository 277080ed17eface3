import Outlets

/// An outlet whose mailbox the test reads.
struct RecordingOutlet: OutletProtocol {
  var name: String { "test" }
  var wantsBeats: Bool { true }

  func run(_ mailbox: OutletMailbox, report: @escaping @Sendable (OutletReport) -> Void) async {}
}
