import Dashboard
import Recording
import Synchronization
import TachogramCore

/// Publishes every event to the feed of the page, with two browsers: one that reads, and one that never does and is
/// disconnected again and again.
final class SoakFeed: Sendable {
  private struct State {
    var links: [Int: LinkState] = [:]
    var isStopped = false
    /// The subscription of the browser that never reads.
    var stuck: EventFeed.Reader?
  }

  private let feed: EventFeed
  private let state = Mutex(State())
  private let read = Mutex<Int64>(0)
  private let reading = Mutex<Task<Void, Never>?>(nil)

  init(started: WallTime) {
    feed = EventFeed(started: started)
    sit()
    let task = Task { [weak self] in
      while let self, !self.state.withLock({ $0.isStopped }) { await self.readOn() }
    }
    reading.withLock { $0 = task }
  }

  /// The numbers of sent and read events, and of disconnected browsers.
  var counts: (told: Int64, read: Int64, dropped: Int64) {
    let counts = feed.counts
    return (counts.events, read.withLock { $0 }, counts.dropped)
  }

  /// Takes what the recorder made of an event.
  func handle(_ news: LiveRecorder.Update) {
    let strap = news.event.strap
    let link: LinkState? = state.withLock { state in
      if case .state(let link) = news.event.content { state.links[strap] = link }
      return state.links[strap]
    }
    guard let link else { return }
    var beats: [API.LiveBeat] = []
    if let session = news.session {
      beats = news.batch.beats.map {
        API.LiveBeat(rr: $0.rr, time: session.wall($0.time), isMarked: !$0.marks.isEmpty, followsGap: false)
      }
    }
    feed.publish(
      .reading(
        API.Reading(
          strap: strap, name: "strap \(strap)", link: API.Link(link, text: link.phase.rawValue),
          isCurrent: link.phase == .live, contact: .detected, notifications: 0, gaps: 0, beats: beats)))
  }

  /// Ends the streams of all browsers.
  func stop() {
    state.withLock { $0.isStopped = true }
    feed.finish()
  }

  // MARK: - Browsers

  /// The browser that never reads comes, and comes again when it was let go.
  private func sit() {
    let reader = feed.reader(after: nil) { [weak self] in
      // The feed holds its lock while it lets somebody go.
      Task { self?.sit() }
    }
    state.withLock { $0.stuck = reader }
  }

  /// The other one reads until it is let go, which time that passes this fast may do to it.
  private func readOn() async {
    let reader = feed.reader(after: nil) {}
    for await _ in reader.stream { read.withLock { $0 += 1 } }
    feed.leave(reader)
  }
}
