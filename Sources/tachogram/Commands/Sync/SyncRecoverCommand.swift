import ArgumentParser
import CommandProcess
import FoundationEssentials
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync recover`: joins a space with the recovery words.
struct SyncRecoverCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Join a space with the recovery words, when no other station can invite this one.",
    discussion: "The words are read from standard input, so that they are in no list of commands.")

  static let ending = Interrupt.Ending.storing

  @Option(help: "The store: the path of the folder on this station, or the https:// URL of a sync server.")
  var store: String

  @Option(help: "The space, if the store has several: the beginning of its identifier.")
  var space: String?

  @Option(help: "What this station is called. Default: the name of the machine.")
  var name = StationSync.defaultName

  @OptionGroup var server: SyncServerOption

  @OptionGroup var options: SyncOption

  func perform() async throws {
    let address = try SyncOption.address(store)
    let name = try SyncText.name(name)
    if StandardStreams.isOutputTerminal { StandardStreams.error("Enter the recovery words, and an empty line:") }
    var text = ""
    while let line = readLine(), !line.isEmpty { text += line + "\n" }
    let key: RecoveryKey
    do throws(RecoveryWordsFailure) {
      key = try RecoveryWords.key(text)
    } catch {
      throw CommandFailure(error.description, code: .badInput)
    }
    try await options.run { sync in
      let store = try server.store(of: sync, at: address)
      let spaces = try await store.spaces().filter { space.map($0.description.hasPrefix) ?? true }
      guard let found = spaces.first else { throw CommandFailure("the store has no such space", code: .badInput) }
      guard spaces.count == 1 else {
        let list = spaces.map { String($0.description.prefix(12)) }.joined(separator: ", ")
        throw CommandFailure("the store has several spaces (\(list)); choose one with --space", code: .badUsage)
      }
      do {
        _ = try await sync.setup.recover(
          key, space: found, at: address.text, store, name: name, now: SystemTimeSource().now().wall)
      } catch SyncFailure.membership(.notReader) {
        throw CommandFailure(
          "these words are not the recovery words of this space; compare the words and the address of the store",
          code: .badInput)
      }
      StandardStreams.out(SyncText.pass(try await sync.engine.pass(with: store)))
    }
  }
}
