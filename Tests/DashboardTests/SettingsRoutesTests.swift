import DashboardTestKit
import Foundation
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Settings on the page, as requests")
struct SettingsRoutesTests {
  @Test func testSettings_AreListedChangedAndTakenBack() async throws {
    let client = TestClient()
    func value(_ answer: TestClient.Answer) throws -> String? {
      let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
      let settings = object?["settings"] as? [[String: Any]]
      return settings?.first { $0["key"] as? String == "session.endAfter" }?["value"] as? String
    }
    #expect(try await value(client.get("/api/v1/settings")) == "10m")
    let path = "/api/v1/settings"
    #expect(try await value(client.ask(.patch, path, #"{"session.endAfter":"30m"}"#)) == "30m")
    #expect(try await value(client.ask(.patch, path, #"{"session.endAfter":null}"#)) == "10m")
    let long = String(repeating: "1", count: 201)
    for body in [
      #"{"session.endAfter":"soon"}"#, #"{"http.host":"0.0.0.0"}"#, #"{"session.endAfter":30}"#, "[]", "{",
      "{\"session.endAfter\":\"\(long)\"}",
    ] {
      #expect(try await client.ask(.patch, path, body).status == 400, "\(body)")
    }
  }
}
