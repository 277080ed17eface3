import Access
import DashboardTestKit
import HTTPTypes
import Synchronization
import Testing

@testable import Dashboard

@Suite("Export of a range of time, as requests")
struct RangeExportRouteTests {
  @Test func testSelection_IsPassedOn() async throws {
    let client = TestClient()
    let answer = try await client.get("/api/v1/export?format=fit&person=Anna&from=1970-01-01T00:00:01Z")
    #expect(answer.status == 200 && answer.body == "zip")
    #expect(answer.header("Content-Type") == "application/zip")
    #expect(answer.header("Content-Disposition") == "attachment; filename=\"tachogram.zip\"")
    #expect(try await client.get("/api/v1/export").status == 200)
    let asked = client.backend.asked.withLock { $0 }
    #expect(asked == ["checkExport fit Anna 1000000", "checkExport csv - \(Int64.min)"])
  }

  @Test func testInvalidSelection_IsRefused() async throws {
    for question in [
      "?format=doc", "?from=yesterday", "?session=x", "?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
    ] {
      #expect(try await TestClient().get("/api/v1/export\(question)").status == 400, "\(question)")
    }
  }

  @Test func testTokenForReading_ExportsNothing() async throws {
    let client = TestClient(tokens: FixedTokens("right-token", scope: .read))
    let answer = try await client.get("/api/v1/export", headers: ["Authorization": "Bearer right-token"])
    #expect(answer.status == 403)
  }
}
