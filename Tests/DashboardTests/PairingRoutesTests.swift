import DashboardTestKit
import Foundation
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Pairing on the page")
struct PairingRoutesTests {
  private static func phase(_ answer: TestClient.Answer) throws -> String? {
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return object?["phase"] as? String
  }

  private let client = TestClient(token: "right-token", isSecure: true)

  private func ask(
    _ method: HTTPRequest.Method, _ path: String = "", _ body: String? = nil
  ) async throws -> TestClient.Answer {
    try await client.ask(
      method, "/api/v1/pairing" + path, body, headers: ["Authorization": "Bearer right-token"])
  }

  @Test func testStrap_IsFoundChosenAskedAndPaired() async throws {
    #expect(try await Self.phase(ask(.get)) == "closed")
    let found = try await ask(.post)
    #expect(try Self.phase(found) == "searching" && found.body.contains("Polar H10 1A2B"))
    let asked = try await ask(.post, "/strap", "{\"address\":\"\(FakePairing.strap)\"}")
    #expect(try Self.phase(asked) == "connecting" && asked.body.contains("\"passkey\""))
    #expect(try await Self.phase(ask(.post, "/answer", #"{"passkey":"123456"}"#)) == "paired")
    #expect(client.backend.fakePairing.answered == [.passkey(FakePairing.passkey)])
    #expect(try await Self.phase(ask(.delete)) == "closed")
  }

  @Test func testRequestsThatDoNotFit_AreRefused() async throws {
    #expect(try await ask(.post, "/strap", "{\"address\":\"\(FakePairing.strap)\"}").status == 409)
    #expect(try await ask(.post, "/answer", #"{"matches":true}"#).status == 409)
    _ = try await ask(.post)
    #expect(try await ask(.post).status == 409)
    #expect(try await ask(.post, "/strap", #"{"address":"AA:AA:AA:AA:AA:AA"}"#).status == 404)
    for body in [#"{"address":"x"}"#, "{}", #"{"address":1}"#] {
      #expect(try await ask(.post, "/strap", body).status == 400)
    }
    for body in [
      #"{"passkey":123456}"#, #"{"passkey":"1234567"}"#, #"{"passkey":""}"#, #"{"passkey":"12a"}"#,
      #"{"passkey":"-1"}"#,
      #"{"passkey":"1","matches":true}"#, "{}", #"{"matches":"yes"}"#,
    ] {
      #expect(try await ask(.post, "/answer", body).status == 400)
    }
  }

  /// A passkey that others can read is none.
  @Test func testPairingOverPlainHTTP_IsRefused() async throws {
    let client = TestClient(token: "right-token")
    for (method, path) in [(HTTPRequest.Method.post, ""), (.post, "/strap"), (.post, "/answer"), (.delete, "")] {
      let answer = try await client.ask(
        method, "/api/v1/pairing" + path, "{}", headers: ["Authorization": "Bearer right-token"])
      #expect(answer.status == 403 && answer.body.contains("TLS"))
    }
  }
}
