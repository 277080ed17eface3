import Access
import ArgumentParser
import CommandProcess
import Foundation
import Glibc
import Presentation
import Station

/// `open`: serves the page to the local network.
struct OpenCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the page to phones and computers in the local network.",
    discussion: """
      Creates a certificate, serves the page with TLS on all addresses, and shows a QR code that logs one phone in. Run it \
      again to log in another one; a code that was not used yet is no longer valid then. With sudo it applies to the packaged station: it also announces the page by mDNS if \
      avahi-daemon is installed, and restarts the station. `tachogram close` closes the page again; `tachogram token list` lists who is logged in.
      """)

  static let ending = Interrupt.Ending.nothing

  @OptionGroup var options: StationOptions

  @Option(help: "What the phone may do: full, or read for reading only.")
  var scope = TokenScope.full

  func validate() throws {
    if !scope.isForBrowsers { throw ValidationError("A phone is logged in with the scope full or read.") }
  }

  func perform() async throws {
    let station = try OpenedStation(options)
    let avahi = AvahiService()
    let opened = try station.asOwner { try station.opening.open(scope, hasHostName: avahi.isRunning) }
    if opened.isPortOfCommand {
      warn("the addresses are valid if the station is started with --port \(opened.port) as well")
    }
    show(opened)
    if station.isService { warn(announce(avahi, port: opened.port)) }
    try await restart(station, opened)
  }

  /// Announces the page. Returns why it is not announced, or `nil`.
  private func announce(_ avahi: AvahiService, port: Int) -> String? {
    guard avahi.isAvailable else {
      return "the page has no name in the network, since avahi-daemon is not installed (sudo apt install avahi-daemon)"
    }
    do {
      try avahi.announce(port: port)
      return nil
    } catch {
      return "the page is not announced in the network: \(error)"
    }
  }

  private func warn(_ problem: String?) {
    if let problem { StandardStreams.error("tachogram: warning: \(problem)") }
  }

  private func show(_ opened: PageOpening.Opened) {
    let style = TerminalStyle(
      environment: ProcessInfo.processInfo.environment, isTerminal: StandardStreams.isOutputTerminal)
    let since = opened.needsRestart ? " from the next start of the station on" : ""
    var lines = ["The page is open to the local network\(since):"] + opened.addresses.map { "  \($0)" } + [""]
    let minutes = PageOpening.codeValidity.components.seconds / 60
    lines += [
      "This code logs one phone in, within \(minutes) minutes. A code that was shown before is no longer valid."
    ]
    if let code = style.unicode ? QRCode(opened.login) : nil { lines += code.lines(colour: style.colour) }
    lines += ["  \(opened.login)", ""]
    // Not beside a code for reading, which may be for a guest.
    if scope == .full { lines += ["Other devices ask for this token:", "  \(opened.token)", ""] }
    if let fingerprint = opened.fingerprint {
      lines += [
        "The browser warns about the certificate, because the station made it. Its SHA-256 fingerprint is",
        "  \(fingerprint)", "",
      ]
    }
    if let fingerprint = opened.authorityFingerprint {
      lines += [
        "A device that trusts the station's authority (Settings, Access on the page) no longer warns. Its fingerprint is",
        "  \(fingerprint)", "",
      ]
    }
    lines += ["`tachogram close` closes the page."]
    StandardStreams.out(lines.joined(separator: "\n") + "\n")
  }

  private func restart(_ station: OpenedStation, _ opened: PageOpening.Opened) async throws {
    guard opened.needsRestart else { return }
    try await StationRestart(isService: station.isService).perform()
  }
}
