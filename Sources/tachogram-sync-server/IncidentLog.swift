import Foundation
import SyncServer
import Synchronization
import TachogramCore

/// Writes what the operator should know to standard error, which systemd stores. The same line is written once a minute at most.
final class IncidentLog: Sendable {
  private static let span = Duration.seconds(60)

  private let time: any TimeSourceProtocol
  private let written = Mutex<[String: MonotonicTime]>([:])

  init(time: any TimeSourceProtocol) {
    self.time = time
  }

  func report(_ incident: SyncIncident) {
    switch incident {
    case .failed(let failure): write("a request failed: \(failure)")
    case .tooManyConnections(let network): write("there are too many connections, at last from \(network)")
    }
  }

  func write(_ line: String) {
    let now = time.now().monotonic
    let isNew = written.withLock { written in
      written = written.filter { now.duration(since: $0.value) < Self.span }
      return written.updateValue(written[line] ?? now, forKey: line) == nil
    }
    guard isNew else { return }
    let text = "tachogram-sync-server: \(line.filter { !$0.isNewline })\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
