import Foundation
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

  /// As by a tool that gave it to another user.
  @Test func testStationTokenThatCannotBeRead_LeavesTheOthersValid_AndRevocable() throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let book = TokenBook(database: database, time: ManualTimeSource())
    let station = StationToken(database: database)
    let own = try station.make()
    let stationRecord = try #require(try book.token(own))
    let phone = try book.add(ChosenName("Phone"), .read)
    let path = folder.path("token")
    try "short".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: AccessFailure.self) { try station.read() }
    #expect(try book.token(phone.secret)?.id == phone.record.id)
    #expect(try book.isValid(phone.record, phone.secret))
    #expect(throws: AccessFailure.self) { try book.isValid(stationRecord, own) }
    #expect(try book.revoke(phone.record.id))
    #expect(try !book.isValid(phone.record, phone.secret))
    let second = try station.make()
    #expect(try !book.isValid(stationRecord, own) && book.isValid(stationRecord, second))
  }

  @Test func testLoginCode_StaysValidWhileThereIsNoRoomForAToken() throws {
    let folder = try TemporaryFolder()
    let (database, time) = (folder.path("t.sqlite"), ManualTimeSource())
    let book = TokenBook(database: database, time: time)
    let tokens = try (0..<TokenStore.most).map { try book.add(ChosenName("Phone \($0)"), .read) }
    let code = try LoginCodes(database: database).make(.full, validFor: .seconds(60), at: time.now().monotonic)
    #expect(throws: AccessFailure.tooMany(limit: TokenStore.most)) { try book.redeem(code, name: ChosenName("Phone")) }
    #expect(try book.revoke(tokens[0].record.id))
    #expect(try book.redeem(code, name: ChosenName("Phone")) != nil)
    #expect(try book.redeem(code, name: ChosenName("Phone")) == nil)
  }
}
