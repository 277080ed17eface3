import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine

/// `sync remove`: removes a member.
struct SyncRemoveCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a member, such as a lost or stolen station.",
    discussion: """
      What it wrote so far stays. It cannot read what is written from now on; what it has already, it keeps.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The name of the station, or the beginning of its words.")
  var station: String

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      let store = try sync.store()
      _ = try await sync.engine.pass(with: store)
      let report = try await sync.engine.use { try SyncStatusReport($0) }
      let member = try SyncOption.member(station, in: report)
      if member == report.station { throw CommandFailure(SyncFailure.removesItself.description, code: .badUsage) }
      do {
        try await sync.engine.use { try await $0.remove(member, in: store) }
      } catch SyncFailure.membership(.notMember(member)) {
        // Another station removed it meanwhile.
      }
      let name = report.members.first { $0.id == member }?.name
      StandardStreams.out(TerminalText.line("\(name ?? member.words) is no longer a member.") + "\n")
    }
  }
}
