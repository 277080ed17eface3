import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine

/// `sync accept-restored`: accepts that a store or a station was restored from a backup.
struct SyncAcceptCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-restored",
    abstract: "Accept that the store, or a station, was restored from a backup and has lost chunks.",
    discussion: "What this station has received stays. The loss is no longer reported.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The station whose chunks are missing: its name, or the beginning of its words. Default: all.")
  var station: String?

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      let store = try sync.store()
      let report = try await sync.engine.use { try SyncStatusReport($0) }
      let lost = try station.map { try SyncOption.station($0, in: report) }
      let count = try await sync.engine.use { try await $0.acceptRestored(lost, store) }
      StandardStreams.out("The loss of \(SyncText.count(count, "chunk")) is accepted.\n")
      StandardStreams.out(SyncText.pass(try await sync.engine.pass(with: store)))
    }
  }
}
