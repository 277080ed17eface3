import Glibc

/// The resources used by this process.
struct Resources {
  /// The processor time of all threads, in seconds.
  let cpu: Double
  /// The resident memory in bytes, without free memory of the heap, whose amount depends on which threads ran.
  let memory: Int
  /// The number of open descriptors.
  let descriptors: Int
  let threads: Int

  static func now() -> Resources {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    return Resources(
      cpu: cpu, memory: resident(), descriptors: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"))
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private static func entries(of folder: String) -> Int {
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }

  /// `malloc_trim`, which the module of the C library does not import, or `nil` if the library has none.
  private static let trim: (@convention(c) (Int) -> CInt)? = {
    guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)
  }()

  private static func resident() -> Int {
    _ = trim?(0)
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }
}
