import Logging
import TachogramCore
import Testing

@testable import Station

struct PageCertificateTests {
  private static let day: Int64 = 86_400_000_000

  private static let now: Int64 = 1_800_000_000_000_000

  /// `age` and `left` are microseconds since its start and before its end.
  private static func remark(age: Int64 = day, left: Int64) -> PageCertificate.Remark? {
    PageCertificate.remark(
      from: WallTime(microseconds: now - age), to: WallTime(microseconds: now + left), at: WallTime(microseconds: now))
  }

  @Test func testCertificateWithTime_IsNotRemarkedOn() {
    #expect(Self.remark(left: 14 * Self.day) == nil)
    #expect(Self.remark(age: 0, left: 14 * Self.day) == nil)
    #expect(
      PageCertificate.remark(
        from: WallTime(microseconds: .min), to: WallTime(microseconds: .max), at: WallTime(microseconds: -1)) == nil)
  }

  @Test func testCertificateNearItsEnd_IsAWarning() {
    for left in [14 * Self.day - 1, Self.day, 1] { #expect(Self.remark(left: left)?.level == .warning) }
  }

  @Test func testCertificateOfTheFuture_IsAWarning() throws {
    for age in [-1, -Self.day, -4000 * Self.day] {
      let remark = try #require(Self.remark(age: age, left: 5000 * Self.day))
      #expect(remark.level == .warning)
      #expect(remark.text.contains("not valid yet"))
    }
  }

  @Test func testCertificateThatHasEnded_IsAnError() {
    for left in [0, -1, -400 * Self.day] { #expect(Self.remark(left: left)?.level == .error) }
    let past = WallTime(microseconds: .min)
    #expect(PageCertificate.remark(from: past, to: past, at: WallTime(microseconds: 9))?.level == .error)
  }
}
