import Foundation

/// The program bluetoothd on the disk. The bus does not report its version.
struct BluetoothdProgram: Hashable, Sendable {
  private static let places = [
    "usr/libexec/bluetooth/bluetoothd", "usr/lib/bluetooth/bluetoothd", "usr/sbin/bluetoothd",
    "usr/local/libexec/bluetooth/bluetoothd",
  ]

  /// Its path, or `nil` if it is not installed.
  let path: String?
  /// The version that it prints, such as `5.66`, or `nil` if it could not be run.
  let version: String?

  init(path: String?, version: String?) {
    self.path = path
    self.version = version
  }

  /// Finds the program, and runs it to read its version, for at most two seconds.
  init(root: String = "/") {
    let found = Self.places.map { (root.hasSuffix("/") ? root : root + "/") + $0 }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    self.init(path: found, version: found.flatMap(Self.askVersion))
  }

  private static func askVersion(_ path: String) -> String? {
    let process = Process()
    let output = Pipe()
    let ended = DispatchSemaphore(value: 0)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { _ in ended.signal() }
    guard (try? process.run()) != nil else { return nil }
    guard ended.wait(timeout: .now() + 2) == .success else {
      process.terminate()
      return nil
    }
    // It has ended, and one line always fits into the pipe.
    let data = (try? output.fileHandleForReading.read(upToCount: 64)) ?? Data()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return BlueZVersion(text) == nil ? nil : text
  }
}
