import ArgumentParser
import CommandProcess
import Station

/// `close`: serves the page to this machine only.
struct CloseCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Close the page, which `tachogram open` opened to the local network.",
    discussion: """
      Certificates and tokens are kept, so that devices need not be set up again when the page is opened again.
      """)

  static let ending = Interrupt.Ending.nothing

  @OptionGroup var options: StationOptions

  @Flag(help: "Also delete the certificates, and revoke all tokens.")
  var forget = false

  func perform() async throws {
    let station = try OpenedStation(options)
    let closed = try station.asOwner { try station.opening.close(forgets: forget) }
    StandardStreams.out(
      closed.wasOpen
        ? "The page is closed. This applies from the next start of the station on.\n" : "The page was not open.\n")
    if forget { StandardStreams.out("The certificates are deleted, and all tokens are revoked.\n") }
    if station.isService {
      do {
        try AvahiService().withdraw()
      } catch {
        StandardStreams.error("tachogram: warning: the page is still announced in the network: \(error)")
      }
    }
    if let key = closed.openKey {
      StandardStreams.error(
        "tachogram: warning: the network can still reach it\(closed.isSecure ? "" : ", without TLS"), because of \(key)"
      )
    }
    // Also if an earlier attempt was interrupted before the restart.
    if closed.wasOpen || station.isService { try await StationRestart(isService: station.isService).perform() }
  }
}
