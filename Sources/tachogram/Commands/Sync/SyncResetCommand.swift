import ArgumentParser
import CommandProcess
import Station
import Sync
import SyncEngine

/// `sync reset`: deletes all data of the space from the store.
struct SyncResetCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Delete all data of the space from the store.",
    discussion: """
      The sessions on the stations stay. The other stations stop, and a person decides there: `sync reset --accept` goes on \
      with new data only, `sync reset --upload` sends what the station has again.
      """)

  static let ending = Interrupt.Ending.storing

  @Flag(help: "After a reset by another station: go on, and send only what is recorded from now on.")
  var accept = false

  @Flag(help: "After a reset by another station: go on, and send everything that this station has again.")
  var upload = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @OptionGroup var options: SyncOption

  func validate() throws {
    if accept, upload { throw ValidationError("--accept and --upload exclude each other.") }
    if !accept, !upload, !yes {
      throw ValidationError("sync reset deletes all data from the store; confirm with --yes.")
    }
  }

  func perform() async throws {
    try await options.run { sync in
      let store = try sync.store()
      if accept || upload {
        try await sync.engine.use { try await $0.acceptReset(uploading: upload, in: store) }
      } else {
        try await sync.engine.use { try await $0.reset(in: store) }
        StandardStreams.out("The store has no data of the space any more. The other stations ask what to do.\n")
      }
      StandardStreams.out(SyncText.pass(try await sync.engine.pass(with: store)))
    }
  }
}
