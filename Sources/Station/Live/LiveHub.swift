import Dashboard
import Outlets
import Presentation
import Recording
import Synchronization
import TachogramCore

/// The live state of the straps, received from the recorder and published to the viewers of the page. Viewers never delay
/// recording.
final class LiveHub: Sendable {
  /// The live state of a strap that is not on the board.
  fileprivate struct StrapLiveState {
    var address: BluetoothAddress?
    /// The session that is received.
    var session: SessionDescription?
    /// Whether a person has stopped recording.
    var isSuspended = false
    var lastHeard: WallTime?
    /// The latest beats, oldest first.
    var beats: [API.LiveBeat] = []
    /// The number of beats that are not published yet.
    var newBeats = 0
    var hasGap = false
    var wasCurrent = false

    /// The session that is recorded.
    var recorded: SessionDescription? { isSuspended ? nil : session }
  }

  fileprivate struct State {
    var board: LiveBoard
    var extras: [Int: StrapLiveState] = [:]
    /// The last stages of the nights that last, by session.
    var stages: [String: SleepStage] = [:]
    let hasPasskey: Bool
  }

  private let state: Mutex<State>
  private let feed: EventFeed
  private let outlets: OutletHub
  /// The heart rates that are received from advertisements, or `nil` for none.
  private let averages: LiveBroadcasts?
  private let time: any TimeSourceProtocol
  private let details = LiveDetails()
  /// Has an element when a reading has become current.
  let revivals: AsyncStream<Void>
  private let revive: AsyncStream<Void>.Continuation

  /// Creates a hub. `hasPasskey` is whether the configuration has a passkey for straps.
  init(
    names: StrapNames, feed: EventFeed, outlets: OutletHub = OutletHub([]), averages: LiveBroadcasts? = nil,
    time: any TimeSourceProtocol, hasPasskey: Bool = false,
  ) {
    state = Mutex(State(board: LiveBoard(names: names), hasPasskey: hasPasskey))
    self.feed = feed
    self.outlets = outlets
    self.averages = averages
    self.time = time
    (revivals, revive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: - Taking

  /// Handles an event and the rows derived from it.
  func handle(_ news: LiveRecorder.Update) {
    let (strap, now) = (news.event.strap, time.now().monotonic)
    // Several per second, and they change nothing of what is published.
    if case .sensor = news.event.content { return }
    guard news.event.content != .dismissed else {
      let last = state.withLock { state in
        let last = state.reading(strap, at: now)
        state.board.handle(news)
        state.extras[strap] = nil
        return last
      }
      details.forget(strap)
      if let last, !outlets.isEmpty { outlets.forget(OutletReading(last, at: news.event.wall, label: nil)) }
      return publishAll()
    }
    let (wasCurrent, reading, beats) = state.withLock { state in
      let wasCurrent = state.extras[strap]?.wasCurrent ?? false
      state.board.handle(news)
      if state.extras[strap]?.session?.id != news.live?.description?.id {
        // They are of the previous session, and perhaps of another wearer.
        details.forget(strap)
        state.board.handle(nil, of: strap)
      }
      let beats = state.extras[strap, default: StrapLiveState()].handle(news)
      return (wasCurrent, state.reading(strap, at: now), beats)
    }
    if let reading { publish(reading, at: news.event.wall, beats) }
    if reading?.isCurrent == true, !wasCurrent { revive.yield() }
    details.handle(news) { [self] metrics in state.withLock { $0.board.handle(metrics, of: strap) } }
  }

  /// Handles the end of a strap's session: it is no longer running, and its values are no longer current.
  func ended(_ strap: Int) {
    let now = time.now().monotonic
    let reading = state.withLock { state -> API.Reading? in
      guard state.extras[strap]?.session != nil else { return nil }
      state.extras[strap]?.session = nil
      state.board.ended(strap)
      return state.reading(strap, at: now)
    }
    details.forget(strap)
    if let reading { publish(reading, at: time.now().wall) }
  }

  /// Publishes the readings that have become stale, or current again, since the last call.
  func watch() {
    let now = time.now().monotonic
    let stale = state.withLock { state in
      state.board.straps.compactMap { strap -> API.Reading? in
        let isCurrent = state.board.reading(strap, at: now)?.isCurrent ?? false
        return isCurrent == state.extras[strap]?.wasCurrent ? nil : state.reading(strap, at: now)
      }
    }
    for reading in stale { publish(reading, at: time.now().wall) }
  }

  /// Sends all readings to the browsers, which forget what is not among them.
  @Sendable
  func publishAll() { feed.publish(.live(live())) }

  /// Sends a reading to the browsers, and to the outlets with its new beats.
  private func publish(
    _ reading: API.Reading, at time: WallTime, _ beats: [(beat: Beat, followsGap: Bool)] = []
  ) {
    feed.publish(.reading(reading))
    // Nothing is said to others of a strap that was never received, such as the one that is looked for while none is paired.
    if outlets.isEmpty || (reading.address == nil && reading.lastHeard == nil) { return }
    let session = state.withLock { $0.extras[reading.strap]?.session }
    let sent = session.map { session in
      beats.map { OutletBeat($0.beat, followsGap: $0.followsGap, of: session, strap: reading.strap) }
    }
    outlets.send(OutletReading(reading, at: time, label: session?.label), sent ?? [])
  }

  /// Returns when the first of the current readings becomes stale, or `nil` if none is current.
  func nextStale() -> MonotonicTime? {
    state.withLock { state in
      state.extras.filter(\.value.wasCurrent).keys.compactMap(state.board.staleTime).min()
    }
  }

  /// Updates the stages of nights, by session. They are sent with the next readings.
  func stage(_ stages: [String: SleepStage]) {
    state.withLock { $0.stages = stages }
  }

  /// Removes the stage of a night that has ended.
  func endStage(of session: String) {
    state.withLock { $0.stages[session] = nil }
  }

  /// Updates the names of straps, and publishes the readings of those that have another one now.
  func rename(_ names: StrapNames) {
    let now = time.now()
    let renamed = state.withLock { state in
      state.board.rename(names).compactMap { state.reading($0, at: now.monotonic) }
    }
    for reading in renamed { publish(reading, at: now.wall) }
  }

  // MARK: - Reading

  /// All readings, with their last beats.
  func live() -> API.Live {
    let (now, others) = (time.now(), averages?.readings() ?? [])
    return state.withLock { state in
      let readings = state.board.straps.compactMap { strap -> API.Reading? in
        let extra = state.extras[strap] ?? StrapLiveState()
        return state.board.reading(strap, at: now.monotonic).map { state.described(strap, $0, extra, extra.beats) }
      }
      return API.Live(time: now.wall, readings: readings + others)
    }
  }

  /// The sessions that are being recorded.
  var running: Set<String> {
    state.withLock { Set($0.extras.values.compactMap(\.recorded?.id)) }
  }

  /// Returns a session that is being recorded, with the time of its last notification, or `nil` if it is not.
  @Sendable
  func session(_ id: String) -> StationReadings.Live? { session(where: { $0.id == id }) }

  /// Returns the session of a strap that is being recorded, or `nil` if there is none.
  @Sendable
  func session(of strap: BluetoothAddress) -> StationReadings.Live? { session(where: { $0.strap.address == strap }) }

  /// Whether a strap is received by a connection.
  @Sendable
  func receives(_ strap: BluetoothAddress) -> Bool {
    state.withLock { state in
      state.extras.values.contains { $0.session != nil && $0.address?.matches(strap) == true }
    }
  }

  private func session(where isWanted: (SessionDescription) -> Bool) -> StationReadings.Live? {
    state.withLock { state in
      for extra in state.extras.values {
        if let session = extra.recorded, isWanted(session) { return extra.lastHeard.map { (session, $0) } }
      }
      return nil
    }
  }

  /// Returns the state of the straps, for alerts.
  func watched() -> [(reading: LiveReading, lastHeard: WallTime?, isInSession: Bool)] {
    let now = time.now().monotonic
    return state.withLock { state in
      state.board.straps.compactMap { strap in
        let extra = state.extras[strap]
        return state.board.reading(strap, at: now).map { ($0, extra?.lastHeard, extra?.recorded != nil) }
      }
    }
  }
}

extension LiveHub.State {
  /// Returns a reading with the beats that are not published yet.
  fileprivate mutating func reading(_ strap: Int, at now: MonotonicTime) -> API.Reading? {
    guard let reading = board.reading(strap, at: now) else { return nil }
    var extra = extras[strap] ?? LiveHub.StrapLiveState()
    let beats = extra.beats.suffix(extra.newBeats)
    (extra.newBeats, extra.wasCurrent) = (0, reading.isCurrent)
    extras[strap] = extra
    return described(strap, reading, extra, Array(beats))
  }

  /// Returns a reading for the page.
  fileprivate func described(
    _ strap: Int, _ reading: LiveReading, _ extra: LiveHub.StrapLiveState, _ beats: [API.LiveBeat]
  ) -> API.Reading {
    var described = API.Reading(strap, reading, extra, beats: beats, hasPasskey)
    described.sleepStage = extra.recorded.flatMap { stages[$0.id]?.rawValue }
    return described
  }
}

extension LiveHub.StrapLiveState {
  /// Handles an update. Returns its beats.
  fileprivate mutating func handle(_ news: LiveRecorder.Update) -> [(beat: Beat, followsGap: Bool)] {
    if let identity = news.live?.identity, identity.address.isKnown { address = identity.address }
    (session, isSuspended) = (news.live?.description, news.isSuspended)
    if case .notification = news.event.content { lastHeard = news.event.wall }
    guard let session else { return [] }
    let new = news.batch.beatsAfterGaps(&hasGap)
    beats += new.map { beat, followsGap in
      API.LiveBeat(
        rr: beat.rr, time: session.wall(beat.time), isMarked: !beat.marks.isEmpty, followsGap: followsGap)
    }
    if beats.count > LiveReading.beatCapacity { beats.removeFirst(beats.count - LiveReading.beatCapacity) }
    newBeats = min(newBeats + new.count, beats.count)
    return new
  }
}

extension API.Reading {
  fileprivate init(
    _ strap: Int, _ reading: LiveReading, _ extra: LiveHub.StrapLiveState, beats: [API.LiveBeat], _ hasPasskey: Bool
  ) {
    self.init(
      strap: strap, name: ChosenName.shown(reading.strap),
      link: API.Link(reading.link, text: LinkWording.text(reading.link, hasPasskey: hasPasskey)),
      isCurrent: reading.isCurrent,
      contact: reading.contact, notifications: reading.notifications, gaps: reading.gaps, beats: beats)
    address = extra.address?.description
    person = extra.session?.person
    lastHeard = extra.lastHeard.map(Timestamp.text)
    heartRate = reading.shownHeartRate
    batteryPercent = reading.battery.flatMap { $0 <= 100 ? $0 : nil }
    signalDBm = reading.signal.flatMap { $0 == 127 ? nil : $0 }
    session = extra.recorded?.id
    start = extra.recorded.map { Timestamp.text($0.start) }
    if let session = extra.session {
      let window = { API.Window($0, end: session.wall($0.end), wording: Wording.text) }
      minute = reading.minute.map(window)
      fiveMinutes = reading.fiveMinutes.map(window)
      detail = reading.detail.map { API.Detail($0, wording: Wording.text) }
    }
    stress = reading.stress.map(API.Stress.init)
    stressAbsence = reading.stress == nil ? reading.stressAbsence : nil
  }
}
