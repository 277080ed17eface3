import MosquittoTestKit
import Outlets
import TachogramContracts
import TachogramTestKit
import Testing

/// The Influx outlet with a server of this process.
final class InfluxOutletSubject: OutletSubject {
  static var key: OutletKey {
    get throws { try #require(OutletKey(bytes: Array(repeating: 7, count: 32))) }
  }

  private let lines: ReceivedLines
  private let server: WebServer
  private let silent: ScriptedPeer

  init() throws {
    let lines = ReceivedLines()
    self.lines = lines
    server = try WebServer { request in .init(lines.accept(request.body) ? 204 : 503) }
    silent = try ScriptedPeer(.silent)
  }

  deinit { server.stop() }

  func outlet(
    for peer: OutletPeer, sleep: @escaping @Sendable (Duration) async -> Void
  ) async throws -> any OutletProtocol {
    let base =
      switch peer {
      case .working: server.base
      case .dead: "http://127.0.0.1:\(try FreePort.find())"
      case .stalled: "http://127.0.0.1:\(silent.port)"
      }
    return InfluxOutlet(
      InfluxOutletOptions(target: .server(url: base + "/api/v2/write?bucket=heart", token: nil), key: try Self.key),
      sleep: sleep)
  }

  func hasReceived(heartRate: Int) async -> Bool {
    await Eventually.holds { self.lines.contains("heart_rate=\(heartRate)i") }
  }

  /// The server is not ready for its next requests.
  func restartPeer() async throws {
    lines.refuse(3)
  }
}
