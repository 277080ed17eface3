#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The contents of a folder.
package enum FolderListing {
  /// Why a folder cannot be read; `errno` is of the call that failed.
  package struct Failure: Error {
    package let errno: Int32
  }

  /// The names in a folder, as bytes, in the order of their texts; without `.` and `..`.
  package static func names(in folder: BytePath) throws(Failure) -> [[UInt8]] {
    guard let stream = opendir(folder.cString) else { throw Failure(errno: errno) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let place = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self)
      names.append((0..<strlen(name)).map { UInt8(bitPattern: name[$0]) })
    }
    guard errno == 0 else { throw Failure(errno: errno) }
    let listed = names.filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }.map { (BytePath.text($0), $0) }
    return listed.sorted { one, other in
      one.0 == other.0 ? one.1.lexicographicallyPrecedes(other.1) : one.0 < other.0
    }.map(\.1)
  }
}
