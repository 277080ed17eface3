import TachogramTestKit
import Testing

@testable import Station

@Suite("Origins that show glances in a frame")
struct FrameOriginsTests {
  private static func load(_ text: String) throws -> StationConfiguration.HTTP {
    try ConfigurationLoader(file: nil, flags: ["http.frameOrigins": text], environment: [:]).load().http
  }

  @Test(arguments: [
    ("https://ha.example:8123", ["https://ha.example:8123"]), ("http://localhost", ["http://localhost"]),
    ("https://a.example,http://192.168.1.2:80", ["https://a.example", "http://192.168.1.2:80"]),
    ("https://[fd00::1]:8123,http://[::1]", ["https://[fd00::1]:8123", "http://[::1]"]), ("", []),
  ])
  func testOrigin_IsAccepted(text: String, origins: [String]) throws {
    #expect(try Self.load(text).frameOrigins == origins)
  }

  /// Nothing of it could end or extend the policy of an answer.
  @Test(arguments: [
    "ha.example", "ftp://ha.example", "https://", "https://ha.example/", "https://ha.example:0",
    "https://ha.example:65536",
    "https://ha.example:x", "https://ha.example:+80", "https://ha.example; script-src *", "https://*", "*",
    "https://ha example", "https://[::1", "https://[evil]", "https://user@ha.example", "https://a.example,b",
    "https://ha.example:", "https://ü.example", "'self'", "https://:80",
  ])
  func testEverythingElse_IsRefused(text: String) {
    #expect(throws: ConfigurationLoader.Problems.self) { try Self.load(text) }
  }

  @Test func testHeartMetrics_AreOffByDefault() throws {
    #expect(try !Self.load("").heartMetrics && Self.load("").frameOrigins.isEmpty)
    let loader = ConfigurationLoader(file: nil, flags: ["http.heartMetrics": "true"], environment: [:])
    #expect(try loader.load().http.heartMetrics)
  }
}
