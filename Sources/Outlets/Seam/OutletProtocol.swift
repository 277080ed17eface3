/// A way by which another system receives live values. An outlet never delays the recording or another outlet: it reads from a mailbox
/// of its own, and its memory and its attempts are bounded however long the other system is away.
package protocol OutletProtocol: Sendable {
  /// Identifies the outlet in logs and metrics, such as `mqtt`.
  var name: String { get }

  /// Whether it sends beats.
  var wantsBeats: Bool { get }

  /// Sends what the mailbox receives until the mailbox ends, then what still has to be said, and returns within `OutletLimits.ending`.
  /// `report` is called when the other system becomes reachable, and when it stops being so.
  func run(_ mailbox: OutletMailbox, report: @escaping @Sendable (OutletReport) -> Void) async
}
