import ArgumentParser
import CommandProcess
import FileSystem
import Repository
import Station
import Sync
import SyncEngine

/// `sync leave`: ends the membership of this station.
struct SyncLeaveCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "End the membership of this station. Its sessions stay; its keys are deleted.",
    discussion: "Run `tachogram sync remove` on another station, too: this station still had the keys until now.")

  static let ending = Interrupt.Ending.storing

  @OptionGroup var options: SyncOption

  func perform() async throws {
    try await options.run { sync in
      try CommandFailure.wording {
        guard try SyncRepository(database: sync.database).space() != nil else {
          throw CommandFailure("this station is not a member of a space")
        }
        try SyncRepository(database: sync.database).leave()
        try AtomicFile.remove(sync.keyFile.path)
        try sync.credentials.remove()
      }
      StandardStreams.out("This station is no longer a member.\n")
    }
  }
}
