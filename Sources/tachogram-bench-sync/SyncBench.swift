import Foundation
import Glibc
import Sync
import SyncHTTPStore

/// The clients of tools/bench sync-server. Prints the seconds that they took.
@main
enum SyncBench {
  /// The length of a chunk: an hour of a ledger, sealed.
  private static let chunkLength = 12_000
  private static let usage = "usage: tachogram-bench-sync put|put-each|read|wake ADDRESS TOKEN STATIONS CHUNKS\n"

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 5, let stations = UInt8(arguments[3]), let chunks = UInt64(arguments[4]), chunks > 0 else {
      try refuse()
    }
    let clients = (0..<stations).map { station in
      SyncBenchClient(
        store: HTTPStore(HTTPStore.Options(address: arguments[1], token: arguments[2])), station: station,
        chunks: chunks, chunkLength: chunkLength)
    }
    let mode = arguments[0]
    let seconds = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in clients {
          group.addTask {
            switch mode {
            case "put": try await client.put()
            case "put-each": try await client.putEach()
            case "read": try await client.read()
            case "wake": try await client.wake()
            default: try refuse()
            }
          }
        }
        try await group.waitForAll()
      }
    }
    try FileHandle.standardOutput.write(contentsOf: Data("\(seconds / .seconds(1))\n".utf8))
  }

  private static func refuse() throws -> Never {
    try FileHandle.standardError.write(contentsOf: Data(usage.utf8))
    exit(2)
  }
}
