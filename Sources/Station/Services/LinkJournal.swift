import Logging
import Presentation
import Synchronization
import TachogramCore

/// Logs which straps are received, which are not any more and why, and whether Bluetooth is available; and summarises them in a
/// line. The steps of a search are not logged, because they would fill the journal of a station whose strap is not worn.
final class LinkJournal: Sendable {
  private enum Standing: Hashable {
    case sought, heard, withoutBluetooth
  }

  private let standings = Mutex<[Int: Standing]>([:])
  private let logger: Logger

  init(_ logger: Logger) {
    self.logger = logger
  }

  /// The state of the straps in a line for people.
  var summary: String {
    let all = standings.withLock { Array($0.values) }
    if all.contains(.withoutBluetooth) { return "there is no Bluetooth" }
    let heard = all.count { $0 == .heard }
    return heard == 0 ? "no data from any strap" : "receiving data from \(heard) of \(all.count) straps"
  }

  func handle(_ event: StrapEvent) {
    switch event.content {
    case .state(let state): handle(state, of: event.strap)
    case .dismissed: standings.withLock { $0[event.strap] = nil }
    case .identified, .linkUp, .notification, .sensor, .linkDown, .signal: break
    }
  }

  private func handle(_ state: LinkState, of strap: Int) {
    let standing: Standing =
      switch state.phase {
      case .live: .heard
      case .adapterAbsent, .daemonAbsent: .withoutBluetooth
      case .idle, .scanning, .connecting, .resolving, .subscribing, .silent, .backingOff: .sought
      }
    let before = standings.withLock { $0.updateValue(standing, forKey: strap) } ?? .sought
    guard standing != before else { return }
    // A number, as in the metrics.
    var metadata: Logger.Metadata = ["strap": "\(strap)"]
    if before == .withoutBluetooth { logger.notice("Bluetooth is back", metadata: metadata) }
    switch standing {
    case .heard: logger.info("receiving data from the strap", metadata: metadata)
    case .withoutBluetooth:
      metadata["state"] = "\(LinkWording.text(state))"
      logger.warning("there is no Bluetooth; see `tachogram doctor`", metadata: metadata)
    case .sought where before == .heard:
      metadata["state"] = "\(LinkWording.text(state))"
      logger.info("no longer receiving data from the strap", metadata: metadata)
    case .sought: break
    }
  }
}
