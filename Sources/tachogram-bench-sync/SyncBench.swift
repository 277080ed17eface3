import Foundation
import Glibc
import Sync
import SyncHTTPStore

/// The clients of tools/bench sync-server, of which it prints the seconds that they took; and the nights of tools/bench sync-year.
@main
enum SyncBench {
  /// The length of a chunk: an hour of a ledger, sealed.
  private static let chunkLength = 12_000
  private static let usage = """
    usage: tachogram-bench-sync put|put-each|read|wake ADDRESS TOKEN STATIONS CHUNKS
           tachogram-bench-sync fill DATABASE NIGHTS
           tachogram-bench-sync ledger DATABASE

    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "fill":
      guard arguments.count == 3, let nights = Int(arguments[2]), nights > 0 else { try refuse() }
      return try SimulatedYear(nights: nights).fill(arguments[1])
    case "ledger":
      guard arguments.count == 2 else { try refuse() }
      let length = try LedgerLength.encoded(in: arguments[1])
      return try report("\(length.ledgers) \(length.levels)")
    default: break
    }
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
    try report("\(seconds / .seconds(1))")
  }

  private static func report(_ value: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(value)\n".utf8))
  }

  private static func refuse() throws -> Never {
    try FileHandle.standardError.write(contentsOf: Data(usage.utf8))
    exit(2)
  }
}
