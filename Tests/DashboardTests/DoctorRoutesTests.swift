import Access
import DashboardTestKit
import Foundation
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Examination on the page")
struct DoctorRoutesTests {
  @Test func testFindings_AreListedAndFixed() async throws {
    let client = TestClient(token: "right-token")
    let headers = ["Authorization": "Bearer right-token"]
    let report = try await client.get("/api/v1/doctor", headers: headers)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(report.body.utf8)) as? [String: Any])
    #expect(object["usable"] as? Bool == false)
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.map { $0["isFixable"] as? Bool } == [true, false, false])
    #expect(findings.map { $0["severity"] as? String } == ["problem", "warning", "ok"])
    let fix = try await client.ask(.post, "/api/v1/doctor/fix", headers: headers)
    #expect(fix.status == 200 && fix.body == #"{"steps":["the adapter hci0 was switched on"]}"#)
  }

  @Test func testAStationThatPlaysACapture_SaysThatTheMachineIsNotExamined() async throws {
    let client = TestClient(FakeBackend(doctor: nil), token: "right-token")
    let headers = ["Authorization": "Bearer right-token"]
    let report = try await client.get("/api/v1/doctor", headers: headers)
    #expect(report.status == 200 && report.body.contains(#""id":"station.replay""#))
    #expect(report.body.contains(#""usable":false"#))
    let fix = try await client.ask(.post, "/api/v1/doctor/fix", headers: headers)
    #expect(fix.status == 200 && fix.body == #"{"steps":[]}"#)
  }

  @Test func testDiagnosis_NeedsAFullToken() async throws {
    for (scope, status) in [(TokenScope.full, 200), (.read, 403)] {
      let client = TestClient(tokens: FixedTokens("right-token", scope: scope))
      let answer = try await client.get("/api/v1/diagnosis", headers: ["Authorization": "Bearer right-token"])
      #expect(answer.status == status)
    }
  }
}
