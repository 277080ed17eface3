import DashboardTestKit
import Foundation
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Nights, as requests")
struct NightRoutesTests {
  private let client = TestClient()
  private let path = "/api/v1/nights"

  private func object(_ answer: TestClient.Answer) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func testNight_BeginsEndsAndIsForgotten() async throws {
    let night = try object(try await client.ask(.post, path, "{\"session\":\"\(FakeBackend.session)\"}"))
    #expect(night["isRunning"] as? Bool == true && night["end"] == nil)
    #expect(try await client.ask(.post, path, "{}").status == 409)
    let ended = try object(try await client.ask(.post, "\(path)/\(FakeBackend.session)/end"))
    #expect(ended["isRunning"] as? Bool == false && ended["end"] is String)
    #expect(try await client.ask(.post, "\(path)/\(FakeBackend.session)/end").status == 409)
    let list = try object(try await client.get(path))
    #expect((list["nights"] as? [[String: Any]])?.count == 3)
    #expect(try await client.ask(.delete, "\(path)/\(FakeBackend.session)").status == 204)
    #expect(try await client.ask(.delete, "\(path)/\(FakeBackend.session)").status == 404)
    #expect(try await client.get("\(path)/\(FakeBackend.session)").status == 404)
  }

  @Test func testDetail_HasStagesAndSeriesWithHoles() async throws {
    let list = try object(try await client.get(path))
    let id = try #require((list["nights"] as? [[String: Any]])?.first?["session"] as? String)
    let detail = try object(try await client.get("\(path)/\(id)"))
    #expect((detail["stages"] as? [[String: Any]])?.first?["stage"] as? String == "wake")
    let rates = try #require(detail["heartRate"] as? [Any])
    #expect(rates.count == 200 && rates.contains { $0 is NSNull } && rates.contains { $0 is Double })
  }

  @Test(arguments: ["{\"session\":\"x\"}", "{\"session\":1}", "[]", "{\"person\":\"Anna\"}"])
  func testInvalidNight_IsRefused(body: String) async throws {
    #expect(try await client.ask(.post, path, body).status == 400)
  }

  @Test func testInvalidQuestions_AreRefused() async throws {
    for question in ["?from=yesterday", "?limit=3", "?person="] {
      #expect(try await client.get(path + question).status == 400, "\(question)")
    }
    for place in ["/x", "/x/end"] {
      #expect(try await client.ask(place == "/x" ? .get : .post, path + place).status == 404)
    }
  }
}
