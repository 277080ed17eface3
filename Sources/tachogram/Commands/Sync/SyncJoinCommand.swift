import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync join`: makes this station a member of a space.
struct SyncJoinCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a space with an invitation.",
    discussion: """
      All persons, sessions and nights of this station become visible to the readers of the space, and theirs to this \
      station, unless it joins as a sensor.
      """)

  /// Longer than to store: the request is deleted from the store, which may be far away.
  static let ending = Interrupt.Ending.recording
  private static let pause: Duration = .seconds(1)

  @Argument(help: "The text that `tachogram sync invite` printed.")
  var invitation: String

  @Option(help: "The store: the path of the folder on this station, or the https:// URL of a sync server.")
  var store: String

  @Option(help: "What this station is called. Default: the name of the machine.")
  var name = StationSync.defaultName

  @Flag(help: "Add to the space without reading it, for a station that others can take away.")
  var sensor = false

  @OptionGroup var server: SyncServerOption

  @OptionGroup var options: SyncOption

  func perform() async throws {
    let address = try SyncOption.address(store)
    let name = try SyncText.name(name)
    try await options.run { sync in
      let store = try server.store(of: sync, at: address)
      let seconds = Int(InvitationOffer.validity.components.seconds)
      StandardStreams.error("waiting for the station that invited …")
      let membership = try await sync.setup.join(
        invitation, role: sensor ? .sensor : .reader, at: address.text, store, name: name,
        now: SystemTimeSource().now().wall, attempts: seconds
      ) { try await Task.sleep(for: Self.pause) }
      let readers = membership.members.values.count { $0.role == .reader }
      StandardStreams.out(
        sensor
          ? "This station adds to the space, and cannot read it.\n"
          : "This station is one of \(SyncText.count(readers, "reader")) of the space: all of them see all persons in it.\n"
      )
      StandardStreams.out(SyncText.pass(try await sync.engine.pass(with: store)))
    }
  }
}
