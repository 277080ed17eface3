import FileSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A store in a folder, such as a USB stick, a network file system or a folder that another program copies. Each station writes
/// to its own subfolder only, so that no file has two writers. A file is written under another name first and has its whole
/// contents at any time; what a killed process leaves is ignored.
///
/// Paths: `<space>/<station>/chunks/<sequence in 16 hexadecimal digits>` and the same in `members`.
package struct FolderStore: SyncStoreProtocol {
  private static let digits = 16

  /// The path of the folder.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) throws(StoreFailure) -> StorePutResult {
    guard bytes.count <= Self.longestObject else { throw .tooLarge(limit: Self.longestObject) }
    let file = file(key)
    return try Self.wording { () throws(AtomicFile.Failure) in
      let permissions = try makeFolders(of: key.log)
      // Another process of the same station may put the same object.
      let lock = FolderLock(of: file)
      defer { withExtendedLifetime(lock) {} }
      if let existing = try AtomicFile.read(file, limit: Self.longestObject) {
        return existing == bytes ? .unchanged : .conflict(existing: existing)
      }
      try AtomicFile.write(bytes, to: file, mode: permissions & 0o666)
      return .stored
    }
  }

  package func get(_ key: StoreKey) throws(StoreFailure) -> [UInt8]? {
    let file = file(key)
    return try Self.wording { () throws(AtomicFile.Failure) -> [UInt8]? in
      do throws(AtomicFile.Failure) {
        return try AtomicFile.read(file, limit: Self.longestObject)
      } catch  where error.reason.isOfContent {
        // What is no object, such as a folder or a file of gigabytes, is a damaged one.
        return []
      }
    }
  }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) throws(StoreFailure) -> StoreListing {
    let all = try names(in: folder(log)).compactMap(Self.sequence).filter { $0 > sequence }.sorted()
    return StoreListing(sequences: Array(all.prefix(limit)), isWhole: all.count <= limit)
  }

  package func logs(of space: SpaceID) throws(StoreFailure) -> [StoreLog] {
    var logs: [StoreLog] = []
    for name in try names(in: "\(path)/\(space)") {
      guard let station = StationID(text: name) else { continue }
      for kind in StoreLog.Kind.allCases {
        let log = StoreLog(space: space, station: station, kind: kind)
        // A folder that others do not let this user read is named when its log is read.
        let names = try? names(in: folder(log))
        if names?.contains(where: { Self.sequence($0) != nil }) ?? false { logs.append(log) }
      }
    }
    return logs.sorted { ($0.station, $0.kind.rawValue) < ($1.station, $1.kind.rawValue) }
  }

  package func spaces() throws(StoreFailure) -> [SpaceID] {
    try names(in: path).compactMap { SpaceID(text: $0) }.sorted { $0.digest < $1.digest }
  }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) -> StoreHeadResult { .notSupported }

  @discardableResult
  package func delete(_ key: StoreKey, keeping keptLength: Int) throws(StoreFailure) -> Bool {
    let file = file(key)
    return try Self.wording { () throws(AtomicFile.Failure) in
      // In place, because a full disk has no room for another file.
      return keptLength > 0 ? try AtomicFile.shorten(file, to: keptLength) : try AtomicFile.remove(file)
    }
  }

  // MARK: - Permissions

  /// The permissions of what this station creates: those of the folder of the store, and its group where new files inherit that.
  /// Stations that run as different users can read each other's chunks, which are sealed, if the folder allows it.
  private var permissions: mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o2777 : 0o700
  }

  /// Creates the folders of a log. Returns the permissions of what is created.
  private func makeFolders(of log: StoreLog) throws(AtomicFile.Failure) -> mode_t {
    try AtomicFile.makeFolder(path)
    let permissions = permissions
    for folder in ["\(path)/\(log.space)", "\(path)/\(log.space)/\(log.station)", folder(log)] {
      if mkdir(folder, permissions) == 0 {
        // The mask of the process does not apply, and the bit of the group is not set by mkdir.
        guard chmod(folder, permissions) == 0 else {
          throw AtomicFile.Failure(path: folder, action: .makeFolder, reason: .system(errno))
        }
      } else if errno != EEXIST {
        throw AtomicFile.Failure(path: folder, action: .makeFolder, reason: .system(errno))
      }
    }
    return permissions
  }

  // MARK: - Paths

  private func folder(_ log: StoreLog) -> String { "\(path)/\(log.space)/\(log.station)/\(log.kind.rawValue)" }

  private func file(_ key: StoreKey) -> String {
    let number = String(key.sequence, radix: 16)
    return "\(folder(key.log))/\(String(repeating: "0", count: Self.digits - number.utf8.count))\(number)"
  }

  private static func sequence(_ name: String) -> UInt64? {
    guard name.utf8.count == digits, name.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    return UInt64(name, radix: 16)
  }

  private func names(in folder: String) throws(StoreFailure) -> [String] {
    do {
      return try FolderListing.names(in: BytePath(folder)).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error.errno == ENOENT || error.errno == ENOTDIR { return [] }
      throw .file(AtomicFile.Failure(path: folder, action: .read, reason: .system(error.errno)))
    }
  }

  private static func wording<Value>(_ body: () throws(AtomicFile.Failure) -> Value) throws(StoreFailure) -> Value {
    do {
      return try body()
    } catch {
      switch error.reason {
      case .system(ENOSPC), .system(EDQUOT): throw .full
      case .system, .notRegular, .tooLarge: throw .file(error)
      }
    }
  }
}

extension AtomicFile.Failure.Reason {
  /// Whether the file could be looked at, but is none of the expected kind.
  fileprivate var isOfContent: Bool {
    switch self {
    case .notRegular, .tooLarge: true
    case .system(let code): code == EISDIR || code == ELOOP
    }
  }
}
