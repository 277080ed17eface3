import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync init`: founds a space.
struct SyncInitCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Found a space, with this station as its first member.",
    discussion: "Prints the recovery words. Write them down: they are shown once, and read everything in the space.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The store: the path of a folder, or the https:// URL of a sync server.")
  var store: String

  @Option(help: "What this station is called. Default: the name of the machine.")
  var name = StationSync.defaultName

  @OptionGroup var server: SyncServerOption

  @OptionGroup var options: SyncOption

  func perform() async throws {
    let address = try SyncOption.address(store)
    let name = try SyncText.name(name)
    let isNew = try isNewFolder(address)
    try await options.run { sync in
      let store = try server.store(of: sync, at: address)
      let recovery = try await sync.setup.found(
        at: address.text, store, name: name, now: SystemTimeSource().now().wall)
      if isNew { StandardStreams.error("the folder \(address.text) was created") }
      StandardStreams.out(SyncText.recovery(recovery))
      let pass = try await sync.engine.pass(with: store)
      StandardStreams.out(SyncText.pass(pass))
    }
  }

  /// Whether the store is a folder that does not exist. Throws if it is in a folder that does not exist: its path is mistyped, or
  /// what contains it is not mounted.
  private func isNewFolder(_ address: StoreAddress) throws -> Bool {
    guard case .folder(let path) = address, !FileManager.default.fileExists(atPath: path) else { return false }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: parent) else {
      throw CommandFailure(
        "the store \"\(path)\" cannot be created: \"\(parent)\" does not exist. Create it, or check the path",
        code: .badUsage)
    }
    return true
  }
}
