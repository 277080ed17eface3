import Logging
import TachogramCore
import Testing

@testable import tachogram

struct PageCertificateTests {
  private static let day: Int64 = 86_400_000_000

  private static func remark(_ left: Int64) -> (level: Logger.Level, text: String)? {
    let now = WallTime(microseconds: 1_800_000_000_000_000)
    return PageCertificate.remark(on: WallTime(microseconds: now.microseconds + left), at: now)
  }

  @Test func testCertificateWithTime_IsNotRemarkedOn() {
    #expect(Self.remark(14 * Self.day) == nil)
    #expect(PageCertificate.remark(on: WallTime(microseconds: .max), at: WallTime(microseconds: -1)) == nil)
  }

  @Test func testCertificateNearItsEnd_IsAWarning() {
    for left in [14 * Self.day - 1, Self.day, 1] { #expect(Self.remark(left)?.level == .warning) }
  }

  @Test func testCertificateThatHasEnded_IsAnError() {
    for left in [0, -1, -400 * Self.day] { #expect(Self.remark(left)?.level == .error) }
    #expect(PageCertificate.remark(on: WallTime(microseconds: .min), at: WallTime(microseconds: 9))?.level == .error)
  }
}
