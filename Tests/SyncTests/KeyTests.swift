import Crypto
import FileSystem
import Foundation
import Testing

@testable import Sync

@Suite("Keys of stations")
struct KeyTests {
  @Test func testStationID_IsSHA256OfPublicKey() throws {
    // The public key of RFC 8032, 7.1, TEST 1; the digest is that of sha256sum.
    let key = try #require(Hexadecimal.bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
    let id = StationID(signingKey: key)
    #expect(id.description == "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9")
    #expect(StationID(text: id.description) == id)
    #expect(StationID(text: id.description.uppercased()) == nil)
    #expect(id.words.split(separator: "-").count == 4)
  }

  @Test func testProquint_MatchesPublishedExamples() {
    // Wilkerson 2009: 127.0.0.1 is lusab-babad, 63.84.220.193 is gutih-tugad.
    #expect([0x7F00, 0x0001, 0x3F54, 0xDCC1].map(Proquint.word) == ["lusab", "babad", "gutih", "tugad"])
    #expect((UInt16.min...UInt16.max).allSatisfy { Proquint.value(Proquint.word($0)) == $0 })
    #expect(["lusa", "lusabb", "lusäb", "ausab", "lesab"].allSatisfy { Proquint.value($0) == nil })
  }

  @Test func testIdentity_WithForeignAgreementKey_IsRefused() throws {
    let (own, other) = (try StationKeys().identity, try StationKeys().identity)
    #expect(try StationIdentity(bytes: own.bytes) == own)
    let swapped = own.signingKey + other.agreementKey + own.signature
    #expect(throws: KeyFailure.invalidIdentity) { try StationIdentity(bytes: swapped) }
    #expect(throws: KeyFailure.invalidIdentity) { try StationIdentity(bytes: own.bytes.dropLast()) }
  }

  // MARK: - Files

  @Test func testKeyFile_ReadOrMake_CreatesOnceWithMode0600() throws {
    let folder = try TestFolder()
    let file = StationKeyFile(path: folder.path + "/sync/station.key")
    #expect(try file.read() == nil)
    let keys = try file.readOrMake()
    #expect(try file.readOrMake().identity == keys.identity)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func testKeyFile_ReadableByOthersOrDamaged_IsRefused() throws {
    let folder = try TestFolder()
    let file = StationKeyFile(path: folder.path + "/station.key")
    _ = try file.readOrMake()
    let bytes = try #require(try AtomicFile.read(file.path))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      try AtomicFile.write(damaged, to: file.path)
      #expect(throws: KeyFailure.damaged(path: file.path)) { try file.read() }
    }
    try AtomicFile.write(bytes, to: file.path, mode: 0o640)
    #expect(throws: KeyFailure.readableByOthers(path: file.path, mode: 0o640)) { try file.read() }
  }

  @Test func testKeyFile_TwoWritersAtOnce_ReceiveTheSameKeys() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/station.key"
    let ids = try await withThrowingTaskGroup(of: StationID.self) { group in
      for _ in 0..<8 { group.addTask { try StationKeyFile(path: path).readOrMake().id } }
      return try await group.reduce(into: Set<StationID>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }
}
