import Dispatch
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

/// What the page asks of a station that computes something over years.
@Suite("Long questions")
struct LongQuestionTests {
  @Test("What takes long keeps nobody from what does not", .timeLimit(.minutes(5)))
  func longQuestion_DelaysOthersOfItsKindAlone() async throws {
    let backend = try await QuietStation(.inMemory(), ManualTimeSource()).backend
    let end = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    // So that it ends where the others wait for it.
    async let long = backend.longQueries.run {
      begin.finish()
      return end.wait(timeout: .now() + 30)
    }
    for await _ in begun {}
    async let trends = backend.trends(TrendQuery(person: nil, period: .week, end: nil))
    _ = try await (backend.straps(), backend.persons(), backend.status())
    let sessions = try await backend.sessions(SessionQuery(person: nil, from: nil, to: nil, limit: 50, cursor: nil))
    #expect(sessions.sessions.isEmpty)
    end.signal()
    #expect(try await long == .success)
    #expect(try await trends.points.isEmpty)
  }

  @Test(arguments: [RepositoryError.readOnly(path: "/d"), .cannotOpen(path: "/d"), .full(path: "/d")])
  func testDatabaseThatCannotBeWritten_IsAConflict(error: RepositoryError) async {
    await #expect {
      try await QueryQueue().run { throw error }
    } throws: {
      ($0 as? DashboardError)?.kind == .conflict
    }
  }
}
