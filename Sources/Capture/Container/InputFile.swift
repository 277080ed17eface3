import FileSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An input that a person named. It is opened at the first access, and can be read again from its beginning: a regular file is
/// read again; the data of a pipe or terminal, which can be read only once, is stored in a `SpoolFile`. The memory in use does
/// not depend on its size.
package final class InputFile: Sendable {
  /// The name that stands for standard input.
  package static let standardInput = "-"
  /// The maximum number of bytes that are stored for a pipe: 4 GiB.
  package static let largestSpool: UInt64 = 1 << 32
  /// Other names of standard input. Unless it is a regular file, it cannot always be opened by its name.
  private static let otherNames = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].map { BytePath($0) }

  private enum Source {
    /// `start` is the offset of its first byte.
    case file(Int32, start: Int64, size: UInt64)
    case stream(Int32)

    var descriptor: Int32 {
      switch self {
      case .file(let descriptor, _, _), .stream(let descriptor): descriptor
      }
    }
  }

  private struct State {
    var source: Source?
    var spool: SpoolFile?
    /// The number of bytes received from a stream.
    var received: UInt64 = 0
    var isAtEnd = false
  }

  /// The name for messages.
  package let name: String
  private let path: BytePath
  private let isReadOnce: Bool
  private let largest: UInt64
  private let state = Mutex(State())

  /// Creates an input. With `isReadOnce`, it is read in order and once, so that the data of a pipe is not stored. `largest` is
  /// the maximum number of bytes that are stored for a pipe.
  package convenience init(path: String, isReadOnce: Bool = false, keeping largest: UInt64 = InputFile.largestSpool) {
    self.init(BytePath(path), isReadOnce: isReadOnce, keeping: largest)
  }

  /// Creates an input at a path that need not be UTF-8.
  package init(_ path: BytePath, isReadOnce: Bool = false, keeping largest: UInt64 = InputFile.largestSpool) {
    self.path = path
    self.isReadOnce = isReadOnce
    self.largest = largest
    name = path == BytePath(Self.standardInput) ? "standard input" : path.description
  }

  deinit {
    if let descriptor = state.withLock({ $0.source?.descriptor }) { close(descriptor) }
  }

  /// Opens the input, which for a named pipe waits for a writer. Returns its size in bytes at the time of opening, or `nil` for
  /// a pipe.
  package func openedSize() throws(CaptureError) -> UInt64? {
    try state.withLock { (state) throws(CaptureError) -> UInt64? in
      if case .file(_, _, let size) = try source(&state) { size } else { nil }
    }
  }

  /// Throws the error of opening, as far as it is known without opening.
  package func check() throws(CaptureError) {
    _ = try inspected()
  }

  /// Reads bytes from `offset` on: as many as are available at once and fit; 0 at the end. A growing file is read to its end at
  /// the time of opening.
  package func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    try state.withLock { (state) throws(CaptureError) -> Int in
      switch try source(&state) {
      case .file(let descriptor, let start, let size):
        guard offset < size else { return 0 }
        let count = min(buffer.count, Int(clamping: size - offset))
        return try Self.retrying(name) { pread(descriptor, buffer.baseAddress, count, off_t(start) + off_t(offset)) }
      case .stream(let descriptor): return try receive(&state, descriptor, at: offset, into: buffer)
      }
    }
  }

  /// Returns all bytes, or `nil` if there are more than `limit`.
  package func contents(upTo limit: Int) throws(CaptureError) -> [UInt8]? {
    if let size = try openedSize(), size > UInt64(limit) { return nil }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: CaptureInput.chunk)
    while bytes.count <= limit {
      let count = try read(at: UInt64(bytes.count), into: &piece)
      if count == 0 { return bytes }
      bytes += piece.prefix(count)
    }
    return nil
  }

  /// Returns the first `count` bytes, or all if there are fewer.
  package func head(_ count: Int) throws(CaptureError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let read = try read(at: UInt64(bytes.count), into: &piece)
      if read == 0 { break }
      bytes += piece.prefix(min(read, count - bytes.count))
    }
    return bytes
  }

  /// Reads bytes into an array, from index `start` on.
  func read(at offset: UInt64, into piece: inout [UInt8], from start: Int = 0) throws(CaptureError) -> Int {
    let result = piece.withUnsafeMutableBytes { bytes -> Result<Int, CaptureError> in
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      do throws(CaptureError) { return .success(try read(at: offset, into: rest)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  // MARK: - Streams

  private func receive(
    _ state: inout State, _ descriptor: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer,
  ) throws(CaptureError) -> Int {
    if let spool = state.spool, offset < state.received {
      return try spool.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: state.received - offset)))
      )
    }
    // Streams are read in order.
    guard offset == state.received else { throw .unreadable(path: name, code: ESPIPE) }
    if state.isAtEnd { return 0 }
    let count = try Self.retrying(name) { Self.wait(descriptor, buffer) }
    state.isAtEnd = count == 0
    if !isReadOnce, count > 0 {
      guard state.received + UInt64(count) <= largest else { throw .tooLong(path: name, limit: largest) }
      let spool: SpoolFile
      if let kept = state.spool { spool = kept } else { spool = try SpoolFile(of: name) }
      state.spool = spool
      try spool.write(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), at: state.received)
    }
    state.received += UInt64(count)
    return count
  }

  /// Reads, and waits if the descriptor is non-blocking, as one that is shared with another program may be.
  private static func wait(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = systemRead(descriptor, buffer)
      guard count < 0, errno == EAGAIN else { return count }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, -1) < 0, errno != EINTR { return -1 }
    }
  }

  private static func retrying(_ name: String, _ body: () -> Int) throws(CaptureError) -> Int {
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR { throw .unreadable(path: name, code: errno) }
    }
  }

  // MARK: - Opening

  private func source(_ state: inout State) throws(CaptureError) -> Source {
    if let source = state.source { return source }
    let source = try opened()
    state.source = source
    return source
  }

  private func opened() throws(CaptureError) -> Source {
    guard let status = try inspected() else { return try inherited() }
    // An empty file may be generated by the kernel, where reading may block.
    let waits = status.st_mode & S_IFMT == S_IFREG && status.st_size == 0 ? O_NONBLOCK : 0
    let descriptor = Int32(
      try Self.retrying(name) { Int(open(path.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY | waits)) })
    do throws(CaptureError) {
      return try source(of: descriptor, start: 0)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns the status of the file before it is opened, because opening a device may have side effects. Returns `nil` for
  /// standard input that is not opened by a name.
  private func inspected() throws(CaptureError) -> stat? {
    if path == BytePath(Self.standardInput) { return nil }
    var status = stat()
    guard stat(path.cString, &status) == 0 else { throw .unreadable(path: name, code: errno) }
    if status.st_mode & S_IFMT != S_IFREG, Self.otherNames.contains(path) { return nil }
    try refuse(status)
    if KernelFileSystem.holds(path.cString) { throw .madeByKernel(path: name) }
    return status
  }

  /// Opens standard input from its current position. A device there was chosen by the user who started the program.
  private func inherited() throws(CaptureError) -> Source {
    let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .unreadable(path: name, code: errno) }
    do throws(CaptureError) {
      return try source(of: descriptor, start: Int64(max(0, lseek(descriptor, 0, SEEK_CUR))), mayBeDevice: true)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private func source(of descriptor: Int32, start: Int64, mayBeDevice: Bool = false) throws(CaptureError) -> Source {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: name, code: errno) }
    let kind = status.st_mode & S_IFMT
    if !mayBeDevice || kind == S_IFDIR || kind == S_IFBLK { try refuse(status) }
    guard kind == S_IFREG else { return .stream(descriptor) }
    // The descriptor may come from another program, or the file may have been replaced since it was examined.
    if KernelFileSystem.holds(descriptor: descriptor) { throw .madeByKernel(path: name) }
    if status.st_size == 0 { try refuseBytes(of: descriptor) }
    return .file(descriptor, start: start, size: UInt64(max(0, Int64(status.st_size) - start)))
  }

  private func refuse(_ status: stat) throws(CaptureError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO: return
    case S_IFDIR: throw .isDirectory(path: name)
    case S_IFCHR: throw .notAFile(path: name, kind: .characterDevice)
    case S_IFBLK: throw .notAFile(path: name, kind: .blockDevice)
    default: throw .notAFile(path: name, kind: .socket)
    }
  }

  /// Refuses a file that has the size 0 and yet contains data, as in an unknown kernel file system. It may be endless.
  private func refuseBytes(of descriptor: Int32) throws(CaptureError) {
    var byte: UInt8 = 0
    let count = pread(descriptor, &byte, 1, 0)
    let code = errno
    var status = stat()
    // Another program may be writing to it.
    if count == 0 || (fstat(descriptor, &status) == 0 && status.st_size > 0) { return }
    if count < 0, code != EAGAIN, code != EINTR { throw .unreadable(path: name, code: code) }
    throw .madeByKernel(path: name)
  }
}

/// Calls `read` of the C library, whose name the methods above have.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
