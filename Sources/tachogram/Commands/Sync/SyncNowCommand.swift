import ArgumentParser
import CommandProcess
import Station
import Sync
import SyncEngine

/// `sync now`: synchronises once.
struct SyncNowCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Synchronise once. A running station does so by itself.",
    discussion: "With --token-file or --authority, it replaces what is kept for the sync server.")

  static let ending = Interrupt.Ending.storing

  @OptionGroup var server: SyncServerOption

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      try server.keep(for: sync)
      let pass = try await sync.engine.pass(with: try sync.store())
      StandardStreams.out(SyncText.pass(pass))
      let report = try await sync.engine.use { try SyncStatusReport($0) }
      for line in SyncText.findings(report) { StandardStreams.error(line) }
    }
  }
}
