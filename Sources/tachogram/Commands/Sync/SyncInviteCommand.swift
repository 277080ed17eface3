import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync invite`: lets one other station join.
struct SyncInviteCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Invite one other station, and wait for it.",
    discussion: """
      Prints a secret that is valid once, for ten minutes, as text and as a QR code. A reader sees all persons, sessions and \
      nights of the space; a sensor (`sync join --sensor`) only adds to it.
      """)

  /// Longer than to store: the messages of the invitation are deleted from the store, which may be far away.
  static let ending = Interrupt.Ending.recording
  private static let pause: Duration = .seconds(1)

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      let store = try sync.store()
      _ = try await sync.engine.pass(with: store)
      let clock = SystemTimeSource()
      var offer = try await sync.engine.use { try $0.invitation(at: clock.now().monotonic) }
      show(offer.invitation)
      let end = clock.now().monotonic.advanced(by: InvitationOffer.validity)
      do {
        var joined: SpaceState.Joined?
        while joined == nil, clock.now().monotonic < end {
          let now = clock.now().monotonic
          let current = offer
          (joined, offer) = try await sync.engine.use { state in
            var offer = current
            let joined = try await state.answer(&offer, in: store, at: now)
            return (joined, offer)
          }
          if joined == nil { try await Task.sleep(for: Self.pause) }
        }
        guard let joined else { throw CommandFailure("no station joined; the invitation is no longer valid") }
        StandardStreams.out(
          TerminalText.line("\(joined.name) (\(joined.station.words)) joined as a \(joined.role).") + "\n")
        // The station that joined reads the reply within seconds.
        for _ in 0..<30 where try await sync.engine.use({ try await $0.isWaiting(joined.station, in: store) }) {
          try await Task.sleep(for: Self.pause)
        }
      } catch {
        // Not as a part of this task, whose requests fail when it is cancelled.
        await Task { try? await sync.engine.use { try await $0.endInvitation(in: store) } }.value
        throw error
      }
      try await sync.engine.use { try await $0.endInvitation(in: store) }
    }
  }

  private func show(_ invitation: Invitation) {
    let style = TerminalStyle(
      environment: ProcessInfo.processInfo.environment, isTerminal: StandardStreams.isOutputTerminal)
    var lines = ["On the other station, within ten minutes, with the address of the store as it is there:", ""]
    if let code = style.unicode ? QRCode(invitation.text) : nil { lines += code.lines(colour: style.colour) }
    lines += [
      "  tachogram sync join \(invitation.text) --store STORE", "", "Waiting for it. Ctrl-C ends the invitation.",
    ]
    StandardStreams.out(lines.joined(separator: "\n") + "\n")
  }
}
