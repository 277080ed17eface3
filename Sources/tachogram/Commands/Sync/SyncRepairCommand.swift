import ArgumentParser
import CommandProcess
import Station
import Sync
import SyncEngine

/// `sync repair`: sends what the store lost.
struct SyncRepairCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Compare the store with what this station wrote, and send what is missing there.")

  static let ending = Interrupt.Ending.storing

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      let store = try sync.store()
      let repair = try await sync.engine.use { try await $0.repair(store) }
      StandardStreams.out(SyncText.repair(repair))
      guard repair.lostCount > 0 else { return }
      StandardStreams.out(SyncText.pass(try await sync.engine.pass(with: store)))
    }
  }
}
