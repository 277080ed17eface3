import Glibc
import TachogramTestKit
import Testing

@testable import Station

@Suite("Service manager")
struct ServiceManagerTests {
  /// What systemd would hear.
  private static func heard(at path: String, _ body: () -> Void) throws -> [String] {
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    try #require(bound == 0)
    body()
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while case let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
    return messages
  }

  @Test func testMessages_AreDatagrams() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": path])
    let heard = try Self.heard(at: path) {
      manager.ready()
      manager.status("two\nlines")
      manager.pingWatchdog()
      manager.stopping()
    }
    #expect(heard == ["READY=1", "STATUS=twolines", "WATCHDOG=1", "STOPPING=1"])
  }

  @Test(arguments: [
    [:], ["NOTIFY_SOCKET": "relative"], ["NOTIFY_SOCKET": ""],
    ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 300)],
  ])
  func testWithoutSystemd_NothingHappens(environment: [String: String]) {
    ServiceManager(environment: environment).ready()
    #expect(ServiceManager(environment: environment).watchdogInterval == nil)
  }

  @Test func testWatchdog_IsForThisProcessOnly() {
    func interval(_ environment: [String: String]) -> Duration? {
      ServiceManager(environment: environment).watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
  }
}
