import Foundation
import TachogramFuzz

/// Runs a target on files, and tells what each took.
struct FuzzRun {
  let target: FuzzTarget

  /// Runs the files at `paths`, and those in folders. The exit status: 1 when something did not hold.
  func run(_ paths: [URL]) async throws -> Int32 {
    var slowest: (seconds: Double, name: String) = (0, "")
    var findings = 0
    let files = try paths.flatMap(Self.files)
    for file in files {
      let bytes = Array(try Data(contentsOf: file))
      let begin = ContinuousClock.now
      let result: String
      do {
        result = try await target.run(bytes) ? "held" : "held, of another kind"
      } catch {
        findings += 1
        result = "FOUND: \(error)"
      }
      let duration = (ContinuousClock.now - begin).components
      let seconds = Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
      if seconds > slowest.seconds { slowest = (seconds, file.path) }
      print("\(file.path): \(bytes.count) bytes, \(Self.milliseconds(seconds)) ms, \(result)")
    }
    print(
      "\(target.rawValue): \(files.count) files, \(findings) findings, slowest "
        + "\(Self.milliseconds(slowest.seconds)) ms (\(slowest.name)), \(Self.peakMegabytes) MB at most")
    return findings == 0 ? 0 : 1
  }

  private static func files(_ path: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    return try FileManager.default.contentsOfDirectory(atPath: path.path).sorted().map(path.appendingPathComponent)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    String(format: "%.1f", seconds * 1000)
  }

  /// The most memory that this process has held.
  private static var peakMegabytes: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss / 1024
  }
}
