import Glibc

/// Temporary folders of tests.
enum TestFolder {
  static func make(_ name: String) throws -> String {
    let path = "/tmp/tachogram-mqtt-\(name)-\(getpid())-\(UInt32.random(in: .min ... .max))"
    guard mkdir(path, 0o755) == 0 else { throw MosquittoFailure(description: "\(path) cannot be made") }
    return path
  }
}
