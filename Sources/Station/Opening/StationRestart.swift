import CommandProcess
import FoundationEssentials
import Subprocess
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The restart of a station whose configuration changed.
package struct StationRestart {
  private static let unit = "tachogram.service"

  /// Whether the station is the packaged one.
  private let isService: Bool

  package init(isService: Bool) {
    self.isService = isService
  }

  /// Restarts the packaged station if systemd runs it and this process may; otherwise reports that it has to be restarted.
  package func perform() async throws {
    let isSystemd = access("/run/systemd/system", F_OK) == 0
    guard isService, isSystemd, geteuid() == 0 else {
      let how = isService && isSystemd ? ": sudo systemctl restart tachogram" : "; stop it, and start it again"
      StandardStreams.error("tachogram: if the station is running, it stays as it is until it is restarted\(how)")
      return
    }
    StandardStreams.error("tachogram: restarting the station …")
    let result = try await Subprocess.run(
      .name("systemctl"), arguments: ["restart", Self.unit], output: .discarded, error: .string(limit: 4096))
    guard result.terminationStatus.isSuccess else {
      let reason = result.standardError.split(separator: "\n").first.map(String.init) ?? "\(result.terminationStatus)"
      throw CommandFailure("the station could not be restarted: \(reason)")
    }
  }
}
