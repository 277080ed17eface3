import FileSystem
import Foundation
import TachogramContracts
import Testing

@testable import Sync

@Suite("Stores")
struct StoreTests {
  @Test func testMemoryStore_FulfilsContract() async throws {
    let store = MemoryStore()
    try await StoreContract(store, reopened: { store }).check()
  }

  @Test func testFolderStore_FulfilsContract() async throws {
    let folder = try TestFolder()
    let path = folder.path
    try await StoreContract(FolderStore(path: path), reopened: { FolderStore(path: path) }).check()
  }

  @Test func testMemoryStore_WithoutRoom_IsFull_UntilDeleted() async throws {
    let store = MemoryStore(room: 10)
    let digest = ContentDigest(of: [])
    let log = StoreLog(space: SpaceID(digest: digest), station: StationID(digest: digest), kind: .chunks)
    let keys = (1...2).map { StoreKey(log: log, sequence: $0) }
    _ = try await store.putIfAbsent([UInt8](repeating: 1, count: 8), at: keys[0])
    await #expect(throws: StoreFailure.full) { try await store.putIfAbsent([1, 2, 3], at: keys[1]) }
    #expect(await store.list(log, after: 0, limit: 9).sequences == [1])
    _ = await store.delete(keys[0], keeping: 2)
    #expect(try await store.putIfAbsent([1, 2, 3], at: keys[1]) == .stored)
  }

  // MARK: - Folders

  private static let digest = ContentDigest(of: [1])
  private static let log = StoreLog(
    space: SpaceID(digest: digest), station: StationID(digest: digest), kind: .chunks)

  @Test func testFolderStore_IgnoresOtherFiles() async throws {
    let folder = try TestFolder()
    let store = FolderStore(path: folder.path)
    _ = try store.putIfAbsent([1], at: StoreKey(log: Self.log, sequence: 1))
    let chunks = "\(folder.path)/\(Self.digest)/\(Self.digest)/chunks"
    // Files of killed writers, of file managers and of programs that copy folders.
    for name in ["0000000000000002.part", ".DS_Store", "0000000000000003 (conflict)", "000000000000000G", "1"] {
      try AtomicFile.write([0], to: "\(chunks)/\(name)")
    }
    try AtomicFile.makeFolder("\(folder.path)/\(Self.digest)/lost+found")
    #expect(try store.list(Self.log, after: 0, limit: 9).sequences == [1])
    #expect(try store.logs(of: Self.log.space) == [Self.log])
    #expect(try store.putIfAbsent([2], at: StoreKey(log: Self.log, sequence: 2)) == .stored)
  }

  /// Stations on a network file system run as different users.
  @Test(arguments: [0o2770, 0o777, 0o700] as [mode_t])
  func testFolderStore_WhatIsCreated_HasThePermissionsOfTheFolder(mode: mode_t) throws {
    let folder = try TestFolder()
    #expect(chmod(folder.path, mode) == 0)
    let key = StoreKey(log: Self.log, sequence: 1)
    _ = try FolderStore(path: folder.path).putIfAbsent([1, 2, 3], at: key)
    func permissions(_ path: String) throws -> mode_t {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require((attributes[.posixPermissions] as? NSNumber)?.uint32Value)
    }
    let space = "\(folder.path)/\(Self.digest)"
    for path in [space, "\(space)/\(Self.digest)", "\(space)/\(Self.digest)/chunks"] {
      #expect(try permissions(path) == mode, "\(path)")
    }
    let file = "\(space)/\(Self.digest)/chunks/0000000000000001"
    #expect(try permissions(file) == mode & 0o666)
    try FolderStore(path: folder.path).delete(key, keeping: 1)
    #expect(try permissions(file) == mode & 0o666)
  }

  @Test func testFolderStore_OneSubfolderPerStation() async throws {
    let folder = try TestFolder()
    let store = FolderStore(path: folder.path)
    for number in 1...3 as ClosedRange<UInt8> {
      let station = StationID(digest: ContentDigest(of: [number]))
      let log = StoreLog(space: Self.log.space, station: station, kind: .members)
      _ = try store.putIfAbsent([number], at: StoreKey(log: log, sequence: 1))
      let path = "\(folder.path)/\(Self.digest)/\(station)/members/0000000000000001"
      #expect(try AtomicFile.read(path) == [number])
    }
    #expect(try FolderListing.names(in: BytePath("\(folder.path)/\(Self.digest)")).count == 3)
  }

  @Test func testFolderStore_WriterKilledAtAnyPoint_HasEveryAcknowledgedObjectWhole() throws {
    let program = Bundle.main.bundleURL.deletingLastPathComponent().appendingPathComponent("tachogram-sync-writer")
    let built = [program, URL(fileURLWithPath: ".build/debug/tachogram-sync-writer")]
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    let executable = try #require(built)
    let folder = try TestFolder()
    let store = FolderStore(path: folder.path)
    var random = TestRandom(seed: 1)
    var next: UInt64 = 1
    for _ in 0..<15 {
      let process = Process()
      process.executableURL = executable
      process.arguments = [folder.path, String(next)]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      // The next objects are being written when it is killed.
      let wanted = Int.random(in: 1...20, using: &random)
      var heard = Data()
      while heard.count(where: { $0 == UInt8(ascii: "\n") }) < wanted {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        heard += more
      }
      kill(process.processIdentifier, SIGKILL)
      heard += output.fileHandleForReading.readDataToEndOfFile()
      let text = String(decoding: heard, as: UTF8.self)
      process.waitUntilExit()
      let acknowledged = text.split(separator: "\n").compactMap { UInt64($0) }.last ?? next - 1
      let listed = try store.list(Self.log, after: 0, limit: .max).sequences
      // One object may be stored of which the writer did not report.
      #expect(listed.elementsEqual(stride(from: 1, through: UInt64(listed.count), by: 1)))
      #expect(listed.count == acknowledged || listed.count == acknowledged + 1)
      for sequence in listed where sequence >= next {
        let bytes = try #require(try store.get(StoreKey(log: Self.log, sequence: sequence)))
        let whole = [UInt8](repeating: UInt8(sequence % 251), count: Int(sequence * 997 % 30_000 + 1))
        let cut = Array(whole.prefix(10))
        let expected = sequence.isMultiple(of: 3) ? cut : whole
        #expect(bytes == expected || sequence > acknowledged && bytes == whole)
      }
      next = acknowledged + 1
    }
    #expect(next > 15)
  }
}
