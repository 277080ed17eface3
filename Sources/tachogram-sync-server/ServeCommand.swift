import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import SyncServer
import TLS
import TachogramCore
import UnixSignals

/// `serve`: answers stations.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer stations until SIGTERM or Ctrl-C.",
    discussion: "SIGHUP reads the certificate and the key again.")

  @Option(help: ArgumentHelp("The address to listen at. Without a certificate, one of loopback.", valueName: "address"))
  var address = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for any free port.")
  var port = 8643

  @Option(
    help: ArgumentHelp("A PEM file of the certificate, followed by its chain.", valueName: "file"), completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("A PEM file of the private key.", valueName: "file"), completion: .file())
  var key: String?

  @Option(help: ArgumentHelp("The requests a second that a token may send for long.", valueName: "number"))
  var rate = 100.0

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key require each other.")
    }
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number up to 65535.") }
    guard rate > 0, rate <= 1_000_000 else { throw ValidationError("--rate is a number of at least 1.") }
    guard certificate != nil || options.isLoopback else {
      throw ValidationError(
        """
        Without TLS the server listens at loopback only, and \(address) is not an address of it. Give --certificate and \
        --key, or let a proxy with TLS pass requests on to 127.0.0.1.
        """)
    }
  }

  private var options: SyncServerOptions {
    var options = SyncServerOptions()
    (options.host, options.port, options.rate) = (address, port, rate)
    return options
  }

  func run() async throws {
    var options = options
    // The key may be one that only root reads, which the database's owner is not.
    if let certificate, let key {
      options.identity = CurrentIdentity(try TLSIdentity(certificate: certificate, key: key))
    }
    let log = IncidentLog(time: SystemTimeSource())
    let database = try database.open()
    let scheme = options.identity == nil ? "http" : "https"
    let host = address.contains(":") ? "[\(address)]" : address
    let server = SyncServer(
      options, database: database, time: SystemTimeSource(), report: { log.report($0) },
      onRunning: { port in
        try? FileHandle.standardOutput.write(contentsOf: Data("listening at \(scheme)://\(host):\(port)\n".utf8))
      })
    let reload = CertificateReload(identity: options.identity, certificate: certificate, key: key, log: log)
    let quiet = Logger(label: "tachogram.sync") { _ in SwiftLogNoOpLogHandler() }
    var configuration = ServiceGroupConfiguration(
      services: [.init(service: server), .init(service: reload)], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: quiet)
    // Requests that are being answered are waited for.
    configuration.maximumGracefulShutdownDuration = .seconds(20)
    try await ServiceGroup(configuration: configuration).run()
    await database.close()
  }
}
