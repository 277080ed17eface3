import TachogramCore
import TachogramTestKit
import Testing

@testable import Access

@Suite("Login codes")
struct LoginCodesTests {
  private static let now = MonotonicTime(microseconds: 5_000_000)

  @Test func testCode_IsValidOnce() throws {
    let folder = try TemporaryFolder()
    let codes = LoginCodes(database: folder.path("t.sqlite"), boot: "one")
    let code = try codes.make(.read, validFor: .seconds(600), at: Self.now)
    #expect(try codes.redeem("other", at: Self.now) == nil)
    #expect(try codes.redeem(code, at: Self.now) == .read)
    #expect(try codes.redeem(code, at: Self.now) == nil)
  }

  @Test func testCode_ExpiresOnTheClockOfTheBoot() throws {
    let folder = try TemporaryFolder()
    let codes = LoginCodes(database: folder.path("t.sqlite"), boot: "one")
    let last = Self.now.advanced(by: .seconds(600)).advanced(by: .microseconds(-1))
    #expect(try codes.redeem(codes.make(.full, validFor: .seconds(600), at: Self.now), at: last) == .full)
    let late = try codes.make(.full, validFor: .seconds(600), at: Self.now)
    #expect(try codes.redeem(late, at: Self.now.advanced(by: .seconds(600))) == nil)
    let old = try codes.make(.full, validFor: .seconds(600), at: Self.now)
    #expect(try LoginCodes(database: folder.path("t.sqlite"), boot: "two").redeem(old, at: Self.now) == nil)
  }

  @Test func testNewCode_ReplacesTheOneBefore() throws {
    let folder = try TemporaryFolder()
    let codes = LoginCodes(database: folder.path("t.sqlite"), boot: nil)
    let first = try codes.make(.full, validFor: .seconds(600), at: Self.now)
    let second = try codes.make(.full, validFor: .seconds(600), at: Self.now)
    #expect(try codes.redeem(first, at: Self.now) == nil)
    #expect(try codes.redeem(second, at: Self.now) == .full)
  }

  /// Of many that present the same code at the same time, one is logged in.
  @Test func testCodeUsedAtTheSameTime_LogsOneIn() async throws {
    let folder = try TemporaryFolder()
    let codes = LoginCodes(database: folder.path("t.sqlite"), boot: nil)
    let code = try codes.make(.full, validFor: .seconds(600), at: Self.now)
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 { group.addTask { try codes.redeem(code, at: Self.now) != nil } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
  }
}

extension LoginCodes {
  fileprivate func redeem(_ code: String, at now: MonotonicTime) throws -> TokenScope? {
    try redeem(code, at: now) { $0 }
  }
}
