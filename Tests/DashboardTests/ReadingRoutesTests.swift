import DashboardTestKit
import Foundation
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Readings, as requests")
struct ReadingRoutesTests {
  private let client = TestClient()
  private let path = "/api/v1/readings"

  private func object(_ answer: TestClient.Answer) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func testMeasurement_RunsIsStoredAndDeleted() async throws {
    let body = "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"morning\",\"seconds\":60}"
    var state = try object(try await client.ask(.post, path + "/running", body))
    #expect(state["phase"] as? String == "measuring")
    let id = try #require(state["id"] as? String)
    while state["phase"] as? String == "measuring" {
      state = try object(try await client.get("\(path)/running/\(id)"))
    }
    #expect(state["phase"] as? String == "done" && state["secondsLeft"] as? Double == 0)
    let list = try object(try await client.get("\(path)?kind=morning&limit=1"))
    let stored = try #require((list["readings"] as? [[String: Any]])?.first?["id"] as? String)
    #expect((list["morning"] as? [String: Any])?["verdict"] as? String == "within")
    #expect(try await client.ask(.delete, "\(path)/\(stored)").status == 204)
    #expect(try await client.ask(.delete, "\(path)/\(stored)").status == 404)
  }

  @Test func testMeasurement_IsCancelled() async throws {
    let body = "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"spot\",\"seconds\":300}"
    let id = try #require(try object(try await client.ask(.post, path + "/running", body))["id"] as? String)
    #expect(try await client.ask(.delete, "\(path)/running/\(id)").status == 204)
    #expect(try await client.get("\(path)/running/\(id)").status == 404)
  }

  @Test(arguments: [
    "{}", #"{"session":"x","kind":"spot","seconds":60}"#, "[]",
    "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"evening\",\"seconds\":60}",
    "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"spot\",\"seconds\":59}",
    "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"spot\",\"seconds\":301}",
    "{\"session\":\"\(FakeBackend.session)\",\"kind\":\"spot\",\"seconds\":60,\"person\":\"Anna\"}",
  ])
  func testInvalidMeasurement_IsRefused(body: String) async throws {
    #expect(try await client.ask(.post, path + "/running", body).status == 400)
  }

  @Test func testInvalidQuestions_AreRefused() async throws {
    for question in ["?kind=evening", "?limit=0", "?limit=1001", "?since=now", "?person="] {
      #expect(try await client.get(path + question).status == 400, "\(question)")
    }
    #expect(try await client.get("\(path)/running/x").status == 404)
  }
}
