import FakeBlueZ
import TachogramCore
import TachogramTestKit

/// A strap that notifies one beat per simulated second, with or without a subscriber.
struct TrialPlayer: Sendable {
  let station: TrialStation
  let strap: FakeStrap

  /// Plays until the task is cancelled or `count` notifications were sent. Returns the record of the sent notifications.
  @discardableResult
  func play(count: Int = .max, keepsSendings: Bool = true) async -> TrialPlay {
    var due = station.time.now().monotonic
    var play = TrialPlay(keepsSendings: keepsSendings)
    while play.count < count, !Task.isCancelled {
      due = due.advanced(byMicroseconds: 1_000_000)
      do { try await station.time.sleep(until: due) } catch { break }
      let isTold = await station.fake.notify(strap, TrialPlay.value(play.count))
      play.append(TrialPlay.Sending(due: due, handed: station.time.now().monotonic), isTold: isTold)
    }
    return play
  }
}
