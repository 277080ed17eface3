import Foundation
import Glibc
import SyncHTTPStore
import TachogramTestKit

/// The built program `tachogram-sync-server`, serving at a free port.
struct ServerProcess: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The program beside the running test bundle.
  static var url: URL { Program.url.deletingLastPathComponent().appendingPathComponent("tachogram-sync-server") }

  private let process: ChildProcess

  /// Starts the program with options of `serve`.
  init(_ options: [String]) throws {
    process = try ChildProcess.start(
      Self.url, ["serve", "--port", "0"] + options, environment: ["PATH": "/usr/bin:/bin"], deadline: .seconds(600))
  }

  /// Waits until it listens. Returns a client.
  func store(_ token: String) async throws -> HTTPStore {
    for await piece in process.pieces {
      let line = String(decoding: piece, as: UTF8.self)
      guard line.hasPrefix("listening at "), line.hasSuffix("\n") else { break }
      return HTTPStore(HTTPStore.Options(address: String(line.dropFirst(13).dropLast()), token: token))
    }
    throw Failure(description: "the server did not start: \(await process.end().errors)")
  }

  /// Kills the program, and waits for its end.
  func kill() async {
    process.send(SIGKILL)
    _ = await process.end()
  }

  /// Makes the program read its certificate again.
  func reload() { process.send(SIGHUP) }

  /// Ends the program in order.
  func terminate() async -> ChildProcess.Ending {
    process.send(SIGTERM)
    return await process.end()
  }
}
