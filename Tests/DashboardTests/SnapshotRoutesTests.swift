import Access
import DashboardTestKit
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Snapshots, as requests")
struct SnapshotRoutesTests {
  private static let good = "t-20261126T030000Z.sqlite"
  private static let replaced = "t.sqlite.replaced-20261124T030000Z"
  private static let damaged = "t-20261125T030000Z.sqlite"

  @Test func testSnapshots_AreListedPreviewedAndRestored() async throws {
    let client = TestClient()
    #expect(try await client.get("/api/v1/snapshots").body.contains(Self.good))
    #expect(try await client.get("/api/v1/snapshots/\(Self.good)").body.contains("\"missing\":1"))
    #expect(try await client.ask(.post, "/api/v1/snapshots/\(Self.good)/restore").status == 204)
    #expect(try await client.get("/api/v1/snapshots").body.contains("The snapshot was restored."))
  }

  @Test func testOtherSnapshots_AreRefused() async throws {
    let client = TestClient()
    #expect(try await client.ask(.post, "/api/v1/snapshots/\(Self.damaged)/restore").status == 409)
    for name in ["none", "..%2F..%2Fetc%2Fpasswd", String(repeating: "x", count: 301)] {
      #expect(try await client.get("/api/v1/snapshots/\(name)").status == 404, "\(name)")
      #expect(try await client.ask(.post, "/api/v1/snapshots/\(name)/restore").status == 404, "\(name)")
    }
  }

  @Test func testReplacedDatabase_IsComparedAndItsSessionsAreCopied() async throws {
    let client = TestClient()
    #expect(try await client.get("/api/v1/snapshots").body.contains(Self.replaced))
    let preview = try await client.get("/api/v1/replaced/\(Self.replaced)").body
    #expect(preview.contains("\"missing\":2") && preview.contains("\"overlapping\":1"))
    #expect(try await client.ask(.post, "/api/v1/replaced/\(Self.replaced)/copy").body == "{\"copied\":2}")
    #expect(try await client.get("/api/v1/replaced/\(Self.replaced)").body.contains("\"missing\":0"))
    for name in ["none", "..%2F..%2Fetc%2Fpasswd", String(repeating: "x", count: 301)] {
      #expect(try await client.get("/api/v1/replaced/\(name)").status == 404, "\(name)")
      #expect(try await client.ask(.post, "/api/v1/replaced/\(name)/copy").status == 404, "\(name)")
    }
  }

  @Test func testTokenForReading_SeesAndRestoresNothing() async throws {
    let client = TestClient(tokens: FixedTokens("right-token", scope: .read))
    let headers = ["Authorization": "Bearer right-token"]
    #expect(try await client.get("/api/v1/snapshots", headers: headers).status == 403)
    #expect(try await client.get("/api/v1/snapshots/\(Self.good)", headers: headers).status == 403)
    #expect(try await client.ask(.post, "/api/v1/snapshots/\(Self.good)/restore", headers: headers).status == 403)
    #expect(try await client.get("/api/v1/replaced/\(Self.replaced)", headers: headers).status == 403)
    #expect(try await client.ask(.post, "/api/v1/replaced/\(Self.replaced)/copy", headers: headers).status == 403)
  }
}
