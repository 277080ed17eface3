import ArgumentParser
import Dashboard
import DashboardTestKit
import Foundation
import Logging
import TachogramCore

/// Serves the page with a simulated station, for development and tests. Prints two addresses: the page, and the page that
/// requires the token "open". Each line on standard input is a mode.
@main
struct MockPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram-mock-page",
    abstract: "Serve the page with made-up data. Modes on standard input: normal, single, silent, stale, empty.")

  static let token = "open"

  @Option(help: "The port of the page; 0 picks a free port.")
  var port = 0

  @Option(help: "What the station does at first.")
  var mode = MockMode.normal

  func run() async throws {
    let station = MockStation(mode, time: SystemTimeSource())
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (open, locked) = (
        Self.server(station, port: port, token: nil), Self.server(station, port: 0, token: Self.token)
      )
      for server in [open, locked] { group.addTask { try await server.server.run() } }
      group.addTask {
        for await port in open.ports { Self.say("http://127.0.0.1:\(port)/") }
        for await port in locked.ports { Self.say("http://127.0.0.1:\(port)/ (token \(Self.token))") }
      }
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(1))
          station.publish()
        }
      }
      group.addTask {
        for await line in Self.lines {
          guard let mode = MockMode(rawValue: line) else {
            Self.say("there is no mode \(line)")
            continue
          }
          station.mode = mode
          Self.say("mode \(line)")
        }
        // The parent has ended.
        throw ExitCode.success
      }
      defer { group.cancelAll() }
      while try await group.next() != nil {}
    }
  }

  /// Prints a line without buffering.
  private static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  /// The lines of standard input, read on their own thread.
  private static var lines: AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }

  private static func server(
    _ station: MockStation, port: Int, token: String?
  ) -> (server: DashboardServer, ports: AsyncStream<Int>) {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "mock")
    logger.logLevel = .critical
    let server = DashboardServer(
      DashboardServer.Options(host: "127.0.0.1", port: port, access: AccessControl(token: token)), backend: station,
      feed: station.feed, time: SystemTimeSource(), logger: logger,
      onRunning: { port in
        continuation.yield(port)
        continuation.finish()
      })
    return (server, ports)
  }
}

extension MockMode: ExpressibleByArgument {}
