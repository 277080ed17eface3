import Access
import DashboardTestKit
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Dashboard

@Suite("Changing sessions, as requests")
struct SessionEditRoutesTests {
  private let client = TestClient()
  private let path = "/api/v1/sessions/\(FakeBackend.session)"

  private func asked() -> [String] { client.backend.asked.withLock { $0.filter { $0 != "session" } } }

  @Test func testValues_AreChangedOneByOne() async throws {
    #expect(try await client.ask(.patch, path, #"{"label":" night ","note":"one\ntwo"}"#).status == 200)
    #expect(try await client.ask(.patch, path, #"{"person":null}"#).status == 200)
    #expect(asked() == ["edit - night one\ntwo", "edit null - -"])
  }

  @Test(arguments: [
    #"{"name":"x"}"#, #"{"label":""}"#, #"{"label":"a\nb"}"#, #"{"label":7}"#, #"{"note":"\u001b[2J"}"#, "[]", "{",
    "{\"note\":\"\(String(repeating: "x", count: 2001))\"}",
  ])
  func testInvalidChange_IsRefused(body: String) async throws {
    #expect(try await client.ask(.patch, path, body).status == 400)
    #expect(asked() == [])
  }

  @Test func testMarkers_AreAddedListedAndDeleted() async throws {
    let client = TestClient(FakeBackend())
    let added = try await client.ask(.post, path + "/markers", #"{"text":"coffee","time":"2026-01-01T08:00:00Z"}"#)
    #expect(added.status == 200)
    let marker = try #require(
      try JSONSerialization.jsonObject(with: Data(added.body.utf8)) as? [String: String])
    #expect(marker["text"] == "coffee" && marker["time"] == "2026-01-01T08:00:00.000Z")
    let list = try await client.get(path + "/markers")
    #expect(list.body == #"{"markers":[\#(added.body)]}"#)
    let place = "\(path)/markers/\(marker["id"] ?? "")"
    #expect(try await client.ask(.delete, place).status == 204)
    #expect(try await client.ask(.delete, place).status == 404)
    #expect(try await client.ask(.delete, path + "/markers/x").status == 404)
    for body in ["{}", #"{"text":""}"#, #"{"text":"x","time":"yesterday"}"#, #"{"text":"x","at":"now"}"#] {
      #expect(try await client.ask(.post, path + "/markers", body).status == 400, "\(body)")
    }
  }

  @Test func testSessions_AreSplitAndMerged() async throws {
    #expect(try await client.ask(.post, path + "/split", #"{"time":"2026-01-01T08:00:00Z"}"#).status == 200)
    #expect(try await client.ask(.post, path + "/merge", "{\"session\":\"\(FakeBackend.session)\"}").status == 200)
    #expect(asked() == ["split 2026-01-01T08:00:00.000Z", "merge \(FakeBackend.session)"])
    for (place, body) in [
      ("/split", "{}"), ("/split", #"{"time":1}"#), ("/merge", #"{"session":"x"}"#), ("/merge", "{}"),
    ] {
      #expect(try await client.ask(.post, path + place, body).status == 400, "\(place) \(body)")
    }
    let other = "99999999-aaaa-8bbb-9ccc-ddddeeeeffff"
    #expect(try await client.ask(.post, path + "/merge", "{\"session\":\"\(other)\"}").status == 404)
  }

  @Test func testCategories_AreDeletedAlone() async throws {
    let body = "{\"session\":\"\(FakeBackend.session)\",\"category\":\"windows\"}"
    for place in ["/api/v1/deletions/preview", "/api/v1/deletions"] {
      #expect(try await client.ask(.post, place, body).status == 200)
      #expect(try await client.ask(.post, place, #"{"everything":true,"category":"beats"}"#).status == 400)
    }
    #expect(asked() == ["preview \(FakeBackend.session) - - - windows", "delete \(FakeBackend.session) - - - windows"])
  }

  @Test func testTokenForReading_ChangesNothing() async throws {
    let client = TestClient(tokens: FixedTokens("right-token", scope: .read))
    let headers = ["Authorization": "Bearer right-token"]
    #expect(try await client.get(path + "/markers", headers: headers).status == 200)
    for (method, place, body) in [
      (.patch, "", #"{"label":"x"}"#), (.post, "/markers", #"{"text":"x"}"#),
      (.post, "/split", #"{"time":"2026-01-01T08:00:00Z"}"#), (.post, "/merge", "{}"),
      (.delete, "/markers/\(FakeBackend.session)", nil),
    ] as [(HTTPRequest.Method, String, String?)] {
      #expect(try await client.ask(method, path + place, body, headers: headers).status == 403, "\(place)")
    }
  }
}
