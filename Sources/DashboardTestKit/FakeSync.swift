import Dashboard
import TachogramCore

/// A made-up state of synchronisation, with a problem.
enum FakeSync {
  static var state: API.SyncState {
    var state = API.SyncState(isMember: true)
    let time = WallTime(microseconds: 1_774_742_400_000_000)
    (state.store, state.lastSync) = ("/mnt/nas/tachogram", Timestamp.text(time))
    (state.waitingChunks, state.waitingBytes) = (3, 12_345)
    state.members = [
      API.SyncState.Member(
        id: "lalag-rajuf-kolov-gikiz", name: "bedroom", role: "reader", isThisStation: true, lastHeard: time),
      API.SyncState.Member(
        id: "dunov-zuvoj-sasah-ralos", name: "gym", role: "sensor", isThisStation: false, lastHeard: time),
      API.SyncState.Member(
        id: "fazub-jisod-digud-kirob", name: "recovery key", role: "recovery", isThisStation: false, lastHeard: nil),
    ]
    state.problems = [
      API.SyncState.Problem(
        text: "14 chunks of gym are missing since 2026-03-24", advice: "Run `tachogram sync repair` on gym.")
    ]
    return state
  }
}
