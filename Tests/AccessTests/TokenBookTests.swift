import TachogramCore
import TachogramTestKit
import Testing

@testable import Access

@Suite("Tokens of a station")
struct TokenBookTests {
  @Test func testStationToken_IsReadAtEachRequestAndReplacedWhenRevoked() throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let book = TokenBook(database: database, time: ManualTimeSource())
    #expect(try book.tokens().isEmpty)
    let first = try StationToken(database: database).make()
    #expect(try book.token(first)?.id == TokenRecord.stationID)
    #expect(try book.token(first)?.scope == .full)
    let second = try StationToken(database: database).make()
    #expect(try book.token(first) == nil && book.token(second) != nil)
    #expect(try book.revoke(TokenRecord.stationID))
    #expect(try book.token(second) == nil)
    #expect(try StationToken(database: database).read()?.count == 40)
  }

  @Test func testLoginCode_BecomesATokenOfItsScopeAndName() throws {
    let folder = try TemporaryFolder()
    let (database, time) = (folder.path("t.sqlite"), ManualTimeSource())
    let book = TokenBook(database: database, time: time)
    let code = try LoginCodes(database: database).make(.read, validFor: .seconds(60), at: time.now().monotonic)
    let phone = try #require(try book.redeem(code, name: ChosenName("Phone")))
    #expect(phone.record.name == "Phone" && phone.record.scope == .read)
    #expect(try book.token(phone.secret)?.id == phone.record.id)
    #expect(try book.redeem(code, name: ChosenName("Phone")) == nil)
    #expect(try book.tokens().map(\.name) == ["Phone"])
  }
}
