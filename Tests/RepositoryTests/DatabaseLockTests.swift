import Foundation
import Synchronization
import TachogramTestKit
import Testing

@testable import Repository

struct DatabaseLockTests {
  private let folder: TemporaryFolder
  private var path: String { folder.database }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func lock(_ use: DatabaseLock.Use, _ name: String = "tachogram.sqlite") throws -> DatabaseLock {
    try DatabaseLock(database: folder.path(name), for: use)
  }

  @Test func testRecorders_KnowWhetherTheyAreAlone() throws {
    var first: DatabaseLock? = try lock(.recording)
    #expect(first?.isAlone == true)
    var second: DatabaseLock? = try lock(.recording)
    #expect(second?.isAlone == false)
    #expect(try lock(.recording, "other.sqlite").isAlone)
    // The first one, started again: what it sees unfinished may be that of the second.
    first = nil
    first = try lock(.recording)
    #expect(first?.isAlone == false)
    (first, second) = (nil, nil)
    #expect(try lock(.recording).isAlone)
    #expect(first == nil && second == nil)
  }

  /// An import goes on with nothing that a recorder left.
  @Test func testWriters_AreNoRecorders() throws {
    let writer = try lock(.writing)
    #expect(try lock(.writing).isAlone == false)
    let recorder = try lock(.recording)
    #expect(recorder.isAlone)
    withExtendedLifetime(writer) {}
  }

  @Test(arguments: [
    (DatabaseLock.Use.writing, RepositoryError.inUseByWriter(path: "")),
    (.recording, .inUseByRecorder(path: "")), (.exclusive, .locked(path: "")),
  ])
  func testExclusiveLock_IsRefusedWhileAnotherIsHeld(use: DatabaseLock.Use, reason: RepositoryError) throws {
    var other: DatabaseLock? = try lock(use)
    let error = #expect(throws: RepositoryError.self) { try lock(.exclusive) }
    #expect(error?.isSame(as: reason) == true, "\(String(describing: error))")
    other?.release()
    #expect(try lock(.exclusive).isAlone)
    other = nil
    #expect(other == nil)
  }

  /// A moment is waited: what is replaced or deleted is done soon.
  @Test(arguments: [DatabaseLock.Use.writing, .recording])
  func testSharedLock_WaitsForTheExclusiveOneForAMoment(use: DatabaseLock.Use) async throws {
    let exclusive = try lock(.exclusive)
    #expect(throws: RepositoryError.locked(path: path)) { try lock(use) }
    async let waiting = lock(use)
    exclusive.release()
    withExtendedLifetime(try await waiting) {}
  }

  @Test func testRecorders_AreKeptOutByThemselves() throws {
    let writer = try lock(.writing)
    let part = try DatabaseLock.withoutRecorders(database: path)
    #expect(throws: RepositoryError.locked(path: path)) { try lock(.recording) }
    withExtendedLifetime(try lock(.writing)) {}
    part.release()
    let recorder = try lock(.recording)
    #expect(throws: RepositoryError.inUseByRecorder(path: path)) {
      try DatabaseLock.withoutRecorders(database: path)
    }
    withExtendedLifetime((writer, recorder)) {}
  }

  /// As version 0.1.0 locks it.
  @Test func testWholeFileLock_CountsForRecordersAndForWhoReplaces() throws {
    let descriptor = open(path + "-recording", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    #expect(try lock(.recording).isAlone == false)
    #expect(throws: RepositoryError.inUseByRecorder(path: path)) { try lock(.exclusive) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(throws: RepositoryError.locked(path: path)) { try lock(.recording) }
  }

  /// Whoever waits for a lock has a file open that may lose its name meanwhile.
  @Test func testFileThatWasDeleted_IsNoLock() throws {
    let made = try #require(LockFile.open(database: path))
    #expect(made.isNew)
    let late = try #require(LockFile.open(database: path))
    #expect(try late.lock(.writing, .shared) && late.isCurrent)
    made.discard()
    #expect(LockFile.exists(database: path), "somebody uses it")
    late.unlock()
    made.discard()
    #expect(!LockFile.exists(database: path))
    #expect(try late.lock(.writing, .shared) && !late.isCurrent)
    let exclusive = try lock(.exclusive)
    #expect(throws: RepositoryError.locked(path: path)) { try lock(.writing) }
    withExtendedLifetime(exclusive) {}
  }

  @Test func testLink_HasTheLockOfWhatItLeadsTo() throws {
    try folder.write([], to: "tachogram.sqlite")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.sqlite"), withDestinationPath: path)
    let writer = try lock(.writing, "link.sqlite")
    #expect(throws: RepositoryError.inUseByWriter(path: path)) { try lock(.exclusive) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("link.sqlite-recording")))
    withExtendedLifetime(writer) {}
  }

  @Test func testChildProcess_InheritsNoLock() throws {
    let writer = try lock(.writing)
    let child = Process()
    child.executableURL = URL(filePath: "/bin/cat")
    child.standardInput = Pipe()
    try child.run()
    defer { child.terminate() }
    writer.release()
    withExtendedLifetime(try lock(.exclusive)) {}
    #expect(child.isRunning)
  }

  @Test func testPlaceThatCannotBeWritten_IsSaid() throws {
    #expect(throws: RepositoryError.notLocked(path: "/nonexistent/t.sqlite-recording", errno: ENOENT)) {
      try DatabaseLock(database: "/nonexistent/t.sqlite", for: .writing)
    }
  }

  /// Waiting would not help: the file system has no locks, or the system has none left.
  @Test(
    arguments: [ENOLCK, EBADF, EOPNOTSUPP, EINVAL, ENOSYS, EIO], [DatabaseLock.Use.writing, .recording, .exclusive])
  func testLockThatCannotBe_IsSaidAtOnce(code: Int32, use: DatabaseLock.Use) throws {
    let error = RepositoryError.notLocked(path: path + "-recording", errno: code)
    var calls = LockCalls.system
    calls.bytes = { _, _, _ in code }
    #expect(throws: error) { try DatabaseLock(database: path, for: use, calls: calls) }
    calls = .system
    calls.file = { _, _ in code }
    if use == .writing {
      withExtendedLifetime(try DatabaseLock(database: path, for: use, calls: calls)) {}
    } else {
      #expect(throws: error) { try DatabaseLock(database: path, for: use, calls: calls) }
    }
    #expect(error.description.contains("keep the database on a local disk"))
  }

  /// Where the lock of the database could be acquired and the next one cannot, nobody waits either.
  @Test(arguments: [ENOLCK, EBADF])
  func testLockOfStoringThatCannotBe_EndsTheWait(code: Int32) throws {
    let isFailing = Atomic(false)
    var calls = LockCalls.system
    calls.bytes = { [system = LockCalls.system] descriptor, command, range in
      isFailing.load(ordering: .relaxed) && range.l_type == F_WRLCK ? code : system.bytes(descriptor, command, &range)
    }
    let lock = try DatabaseLock(database: path, for: .writing, calls: calls)
    try lock.storing(database: path, isStopped: { false }) {}
    isFailing.store(true, ordering: .relaxed)
    let error = RepositoryError.notLocked(path: path + "-recording", errno: code)
    // Each look asks whether to go on; two of them would be a wait.
    let looks = Atomic(0)
    #expect(throws: error) {
      try lock.storing(database: path, isStopped: { looks.add(1, ordering: .relaxed).newValue > 1 }) {}
    }
    #expect(looks.load(ordering: .relaxed) == 0)
  }

  @Test(arguments: [DatabaseLock.Use.writing, .recording, .exclusive])
  func testInterruptedCall_IsMadeAgain(use: DatabaseLock.Use) throws {
    let left = Atomic(3)
    var calls = LockCalls.system
    calls.bytes = { [system = LockCalls.system] descriptor, command, range in
      left.subtract(1, ordering: .relaxed).oldValue > 0 ? EINTR : system.bytes(descriptor, command, &range)
    }
    let lock = try DatabaseLock(database: path, for: use, calls: calls)
    #expect(left.load(ordering: .relaxed) < 0)
    withExtendedLifetime(lock) {}
  }

  /// Root that makes it must not lock out whoever the database belongs to.
  @Test func testLockFile_HasModeAndOwnerOfTheDatabase() throws {
    try folder.write([], to: "tachogram.sqlite")
    chmod(path, 0o640)
    if geteuid() == 0 { try #require(chown(path, 54_321, 54_322) == 0) }
    withExtendedLifetime(try lock(.writing)) {}
    var (database, file) = (stat(), stat())
    try #require(stat(path, &database) == 0 && stat(path + "-recording", &file) == 0)
    #expect(file.st_mode & 0o777 == 0o640)
    #expect(file.st_uid == database.st_uid && file.st_gid == database.st_gid)
  }
}

extension RepositoryError {
  /// Whether it is the same case, whatever the path.
  fileprivate func isSame(as other: RepositoryError) -> Bool {
    switch (self, other) {
    case (.inUseByWriter, .inUseByWriter), (.inUseByRecorder, .inUseByRecorder), (.locked, .locked): true
    default: false
    }
  }
}
