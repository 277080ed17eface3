import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Capture

struct InputFileTests {
  private func read(_ file: InputFile, at offset: UInt64, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
    return Array(bytes.prefix(read))
  }

  /// A file at the end of a pipe that holds these bytes and is closed.
  private func piped(
    _ bytes: [UInt8], isReadOnce: Bool = false, keeping largest: UInt64 = 1 << 20
  ) throws
    -> (file: InputFile, pipe: Pipe)
  {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    return (InputFile(path: path, isReadOnce: isReadOnce, keeping: largest), pipe)
  }

  // MARK: - Pipes

  @Test func testPipe_IsReadAgainFromItsBeginning() throws {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let (file, pipe) = try piped(bytes)
    #expect(try file.openedSize() == nil)
    for _ in 0..<3 { #expect(try file.contents(upTo: bytes.count) == bytes) }
    #expect(try file.head(64) == Array(bytes.prefix(64)))
    #expect(try read(file, at: 4990, 100) == Array(bytes.suffix(10)))
    #expect(try read(file, at: 5000, 100).isEmpty)
    withExtendedLifetime(pipe) {}
  }

  @Test func testPipe_HoldsTheSameCaptureAsTheFile() throws {
    let bytes = CaptureWrapping.btsnoop(.session())
    let (file, pipe) = try piped(bytes)
    let replay = CaptureReplay(file)
    let plan = try replay.plan()
    var entries: [Int: [LedgerEntry]] = [:]
    try replay.forEachEntry(plan) { entries[$0, default: []].append($1) }
    #expect(!entries.isEmpty)
    #expect(try entries == ReplayedCapture(bytes).entries)
    withExtendedLifetime(pipe) {}
  }

  @Test func testPipeWithMoreThanIsKept_IsRefused() throws {
    let (file, pipe) = try piped(Array(repeating: 1, count: 5000), keeping: 4096)
    #expect(throws: CaptureError.tooLong(path: file.name, limit: 4096)) { try file.contents(upTo: 5000) }
    withExtendedLifetime(pipe) {}
  }

  /// What is read once may be as long as it likes.
  @Test func testPipeThatIsReadOnce_IsNotKept() throws {
    let (file, pipe) = try piped(Array(repeating: 1, count: 5000), isReadOnce: true, keeping: 0)
    #expect(try read(file, at: 0, 3000).count == 3000)
    #expect(try read(file, at: 3000, 3000).count == 2000)
    #expect(throws: CaptureError.unreadable(path: file.name, code: ESPIPE)) { _ = try read(file, at: 0, 10) }
    withExtendedLifetime(pipe) {}
  }

  /// As programs are started by others that do not wait for their own input.
  @Test func testPipeThatDoesNotWait_IsWaitedFor() async throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let file = InputFile(path: "/proc/self/fd/\(descriptor)", isReadOnce: true)
    _ = try file.openedSize()
    // Both share no description; the one that is read has to be set so.
    let own = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first { other in
        other != descriptor && Self.isSame(other, descriptor) && fcntl(other, F_GETFL) & O_ACCMODE == O_RDONLY
      })
    #expect(fcntl(own, F_SETFL, O_NONBLOCK) == 0)
    let reading = Task.detached { try file.head(3) }
    try pipe.fileHandleForWriting.write(contentsOf: Data([1, 2, 3]))
    #expect(try await reading.value == [1, 2, 3])
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  // MARK: - Files

  @Test func testFile_IsReadToWhereItEndedWhenItWasOpened() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let file = InputFile(path: path)
    #expect(try file.openedSize() == 3)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([4, 5]))
    #expect(try file.contents(upTo: 10) == [1, 2, 3])
    #expect(try file.contents(upTo: 2) == nil)
    #expect(try InputFile(path: path).contents(upTo: 10) == [1, 2, 3, 4, 5])
  }

  // MARK: - What is no file

  @Test(arguments: ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"])
  func testDevice_IsRefusedUnopened(path: String) {
    let error = CaptureError.notAFile(path: path, kind: .characterDevice)
    #expect(throws: error) { try InputFile(path: path).check() }
    #expect(throws: error) { _ = try InputFile(path: path).openedSize() }
  }

  @Test func testSocket_IsRefused() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let path = "/proc/self/fd/\(ends[0])"
    #expect(throws: CaptureError.notAFile(path: path, kind: .socket)) { _ = try InputFile(path: path).openedSize() }
  }

  /// Those of /sys have a size, as if they were ordinary ones.
  @Test(arguments: ["/proc/self/status", "/proc/self/mem", "/sys/kernel/uevent_seqnum"])
  func testFileOfTheKernel_IsRefusedUnopened(path: String) throws {
    let error = CaptureError.madeByKernel(path: path)
    #expect(throws: error) { try InputFile(path: path).check() }
    #expect(throws: error) { _ = try InputFile(path: path).openedSize() }
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: CaptureError.madeByKernel(path: link)) { try InputFile(path: link).check() }
  }

  /// As a shell opens it for `< FILE`; what the link leads to counts, not that it is in /proc.
  @Test func testOpenFile_IsRefusedWhereItIsOfTheKernel() throws {
    let kernel = open("/sys/kernel/uevent_seqnum", O_RDONLY | O_CLOEXEC)
    try #require(kernel >= 0)
    defer { close(kernel) }
    for folder in ["/proc/self/fd", "/dev/fd"] {
      let path = "\(folder)/\(kernel)"
      #expect(throws: CaptureError.madeByKernel(path: path)) { _ = try InputFile(path: path).openedSize() }
    }
    let folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path("f")))
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("f")))
    for folder in ["/proc/self/fd", "/dev/fd"] {
      #expect(try InputFile(path: "\(folder)/\(handle.fileDescriptor)").contents(upTo: 10) == [1, 2, 3])
    }
  }
}
