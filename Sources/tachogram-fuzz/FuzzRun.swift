import Foundation
import TachogramFuzz

/// Runs a target on files, and reports each file that violates an invariant or exceeds the limits of time or memory.
struct FuzzRun {
  /// The limits of an input, without a sanitizer.
  private static let mostSeconds = 1.0
  private static let mostMegabytes = 256

  private static let executor = CallerExecutor()

  let target: FuzzTarget

  /// Runs the files at `paths`, and those in folders. Returns the exit status: 1 if there are findings.
  func run(_ paths: [URL]) throws -> Int32 {
    var slowest: (seconds: Double, name: String) = (0, "none")
    var largest: (megabytes: Int, name: String) = (0, "none")
    var findings = 0
    let files = try paths.flatMap(Self.files)
    for file in files {
      let bytes = Array(try Data(contentsOf: file))
      Self.forgetPeak()
      let begin = Self.processorSeconds()
      var wrong: [String] = []
      do {
        _ = try Self.executor.run { [target] in try await target.run(bytes) }
      } catch {
        wrong.append("\(error)")
      }
      let seconds = Self.processorSeconds() - begin
      let megabytes = Self.peakMegabytes()
      if seconds > slowest.seconds { slowest = (seconds, file.lastPathComponent) }
      if megabytes > largest.megabytes { largest = (megabytes, file.lastPathComponent) }
      if seconds > Self.mostSeconds {
        wrong.append("it takes \(Self.text(seconds)) of \(Self.text(Self.mostSeconds)) s")
      }
      if megabytes > Self.mostMegabytes { wrong.append("it takes \(megabytes) of \(Self.mostMegabytes) MB") }
      for text in wrong { print("\(file.path): FOUND: \(text)") }
      findings += wrong.isEmpty ? 0 : 1
    }
    print(
      "\(target.rawValue): \(files.count) inputs without a sanitizer, \(findings) findings, slowest "
        + "\(Self.text(slowest.seconds)) s (\(slowest.name)), \(largest.megabytes) MB at most (\(largest.name))")
    return findings == 0 ? 0 : 1
  }

  private static func files(_ path: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    return try FileManager.default.contentsOfDirectory(atPath: path.path).sorted().map(path.appendingPathComponent)
  }

  private static func text(_ seconds: Double) -> String {
    String(format: "%.3f", seconds)
  }

  /// Returns the processor time of this process, which excludes other work on the machine.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Resets the peak of memory (proc(5), clear_refs).
  private static func forgetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// Returns the peak of memory since the last reset.
  private static func peakMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(separator: " ").compactMap { Int($0) }.first ?? .max) / 1024
  }
}
