import FileSystem
import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Access

@Suite("Named tokens")
struct TokenStoreTests {
  private static let now = WallTime(microseconds: 1_774_746_000_000_000)

  @Test func testToken_IsFoundByItsSecretAndNotStored() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    let phone = try store.add(ChosenName("Phone"), .read, at: Self.now)
    #expect(phone.record.name == "Phone" && phone.record.scope == .read && phone.record.lastUse == nil)
    #expect(try store.tokens() == [phone.record])
    #expect(try store.find(phone.secret, at: Self.now)?.id == phone.record.id)
    #expect(try store.find(String(phone.secret.dropLast()), at: Self.now) == nil)
    #expect(try store.find("", at: Self.now) == nil)
    let file = folder.path("access/tokens/\(phone.record.id)")
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains(phone.secret))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func testLastUse_IsStoredOnceAnHour() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    let phone = try store.add(ChosenName("Phone"), .full, at: Self.now)
    func lastUse(after seconds: Int64) throws -> WallTime? {
      _ = try store.find(phone.secret, at: Self.now.advanced(by: .seconds(seconds)))
      return try store.tokens().first?.lastUse
    }
    #expect(try lastUse(after: 0) == Self.now)
    #expect(try lastUse(after: 3599) == Self.now)
    #expect(try lastUse(after: 3600) == Self.now.advanced(by: .seconds(3600)))
    // After the clock was set back.
    #expect(try lastUse(after: -10_000) == Self.now.advanced(by: .seconds(-10_000)))
  }

  @Test func testRevokedToken_IsInvalidAtOnceAlsoForAnotherProcess() throws {
    let folder = try TemporaryFolder()
    let (station, command) = (
      TokenStore(database: folder.path("t.sqlite")), TokenStore(database: folder.path("t.sqlite"))
    )
    let phone = try command.add(ChosenName("Phone"), .full, at: Self.now)
    #expect(try station.find(phone.secret, at: Self.now) != nil)
    #expect(try command.revoke(phone.record.id))
    #expect(try station.find(phone.secret, at: Self.now) == nil)
    #expect(try !command.revoke(phone.record.id))
    #expect(try !command.revoke("../../t.sqlite"))
    #expect(try station.tokens().isEmpty)
  }

  @Test func testName_IsTakenOnceAndNumberedForBrowsers() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    let name = try ChosenName("Phone")
    _ = try store.add(name, .full, at: Self.now)
    #expect(throws: AccessFailure.nameTaken("Phone")) { try store.add(name, .read, at: Self.now) }
    #expect(try store.addNumbered(name, .full, at: Self.now).record.name == "Phone 2")
    #expect(try store.addNumbered(name, .full, at: Self.now).record.name == "Phone 3")
    let long = try ChosenName(String(repeating: "a", count: ChosenName.longest))
    _ = try store.add(long, .full, at: Self.now)
    let second = try store.addNumbered(long, .full, at: Self.now).record.name
    #expect(second.hasSuffix("a 2") && ChosenName.isName(second))
  }

  @Test func testNumberOfTokens_IsLimited() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    for number in 0..<TokenStore.most { _ = try store.add(ChosenName("Token \(number)"), .read, at: Self.now) }
    #expect(throws: AccessFailure.tooMany(limit: TokenStore.most)) {
      try store.add(ChosenName("One more"), .read, at: Self.now)
    }
    #expect(throws: AccessFailure.tooMany(limit: TokenStore.most)) {
      try store.addNumbered(ChosenName("One more"), .read, at: Self.now)
    }
    try store.revokeAll()
    #expect(try store.tokens().isEmpty)
  }

  @Test func testDamagedFile_IsNamed() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    let phone = try store.add(ChosenName("Phone"), .full, at: Self.now)
    let path = folder.path("access/tokens/\(phone.record.id)")
    try AtomicFile.write(Array("{}".utf8), to: path)
    #expect(throws: AccessFailure.damaged(path: path)) { try store.find(phone.secret, at: Self.now) }
    #expect(throws: AccessFailure.damaged(path: path)) { try store.tokens() }
    // It can be revoked.
    #expect(try store.revoke(phone.record.id))
    #expect(try store.tokens().isEmpty)
  }

  @Test func testOtherFilesInTheFolder_AreIgnored() throws {
    let folder = try TemporaryFolder()
    let store = TokenStore(database: folder.path("t.sqlite"))
    let phone = try store.add(ChosenName("Phone"), .full, at: Self.now)
    try AtomicFile.write([], to: folder.path("access/tokens/notes.txt"))
    try AtomicFile.write([], to: folder.path("access/tokens/\(phone.record.id).part"))
    #expect(try store.tokens() == [phone.record])
  }
}
