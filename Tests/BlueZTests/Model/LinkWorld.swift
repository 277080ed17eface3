import BlueZ
import TachogramCore

/// A strap, an adapter and a daemon in arithmetic, which do what the machine asks for, and watch what it does.
struct LinkWorld {
  /// What a program promises of a link, in microseconds.
  private enum Promise {
    /// A reading is marked as stale.
    static let stale: Int64 = 5_000_000
    /// Silent notifications are asked for anew.
    static let resubscribed: Int64 = 15_000_000
    /// A silent link is made anew, where every step is answered.
    static let reconnected: Int64 = 30_000_000
    /// A strap that was lost is left alone for a moment.
    static let pause: Int64 = 180_000
    /// A strap that can be heard is heard, whatever was before: the longest back-off and the longest step.
    static let recovered: Int64 = 150_000_000
  }

  private struct Operation {
    let step: LinkStep
    let number: Int
    /// When it is answered; `nil` for never.
    let answer: MonotonicTime?
    let fault: LinkFault?
  }

  private var machine: LinkMachine
  private var now = MonotonicTime(microseconds: 1_000_000)
  private var surroundings = LinkSurroundings()
  private var operation: Operation?
  private var isSearching = false
  private var isInRange = true
  private var isMuted = false
  private var hasLostBond = false
  private var nextFault: LinkFault?
  private var stalls = false
  /// Whether notifications reach us, and when the next one does.
  private var isSubscribed = false
  /// Whether somebody listens, to whatever comes.
  private var isListening = false
  private var nextNotification: MonotonicTime?
  private var resolvedAt: MonotonicTime?
  private var foundAt: MonotonicTime?
  private var heard: MonotonicTime?
  private var connectedAt: MonotonicTime?
  private var gaveUpAt: MonotonicTime?
  /// Whether notifications were asked for since the last one came.
  private var hasAskedAgain = false
  /// Whether a step was not answered as it should be since the last notification.
  private var wasHindered = false
  private var problem: String?

  init(wantsBond: Bool) {
    machine = LinkMachine(wantsBond: wantsBond, seed: 1, at: now)
    send(.surroundings(surroundings))
  }

  /// What the machine did that it must not do; `nil` when all was well.
  static func problem(_ commands: [LinkCommand], wantsBond: Bool) -> String? {
    var world = LinkWorld(wantsBond: wantsBond)
    for (number, command) in commands.enumerated() {
      world.run(command)
      if let problem = world.problem { return "\(problem) at command \(number + 1), \(command)" }
    }
    world.mend()
    let end = world.now.advanced(byMicroseconds: Promise.recovered)
    while world.machine.state.phase != .live, world.now < end, world.problem == nil { world.pass(100_000) }
    return world.problem ?? (world.machine.state.phase == .live ? nil : "it does not recover: \(world.machine)")
  }

  // MARK: - Commands

  private mutating func run(_ command: LinkCommand) {
    switch command {
    case .pass(let milliseconds): pass(milliseconds * 1000)
    case .away:
      isInRange = false
      loseLink()
    case .back: isInRange = true
    case .drop: loseLink()
    case .mute: isMuted = true
    case .speak: isMuted = false
    case .bus(let isThere):
      surroundings.hasBus = isThere
      if !isThere { loseEverything() }
    case .daemon(let isThere):
      surroundings.hasDaemon = isThere
      if !isThere { loseEverything() }
    case .adapter(let condition):
      surroundings.adapter = condition
      if condition != .ready { loseEverything() }
    case .refuse(let fault): nextFault = fault
    case .stall: stalls = true
    case .endSubscription:
      guard isSubscribed else { return }
      isSubscribed = false
      send(.subscriptionEnded)
    case .loseBond: if surroundings.device?.isPaired == true { hasLostBond = true }
    }
    look()
  }

  private mutating func mend() {
    (surroundings.hasBus, surroundings.hasDaemon, surroundings.adapter) = (true, true, .ready)
    (isInRange, isMuted, hasLostBond, stalls, nextFault) = (true, false, false, false, nil)
    look()
  }

  private mutating func loseLink() {
    surroundings.device?.isConnected = false
    surroundings.device?.servicesResolved = false
    surroundings.device?.isInRange = false
    surroundings.device?.hasHeartRate = false
    (isSubscribed, resolvedAt, foundAt, connectedAt) = (false, nil, nil, nil)
    if operation?.step != .connect, let lost = operation {
      operation = Operation(step: lost.step, number: lost.number, answer: now, fault: .linkLost)
    }
  }

  private mutating func loseEverything() {
    loseLink()
    surroundings.device = nil
    isSearching = false
    if let lost = operation { operation = Operation(step: lost.step, number: lost.number, answer: nil, fault: nil) }
  }

  // MARK: - Time

  /// Lets time pass, with all that happens meanwhile, each at its moment.
  private mutating func pass(_ microseconds: Int64) {
    let until = now.advanced(byMicroseconds: microseconds)
    var events = 0
    while problem == nil {
      if isSearching, isInRange, surroundings.device?.isInRange != true, foundAt == nil {
        foundAt = now.advanced(byMicroseconds: 200_000)
      }
      // Looked at often enough to see what ought to have happened.
      let sample = now.advanced(byMicroseconds: 500_000)
      let due =
        [machine.deadline, operation?.answer, nextNotification, resolvedAt, foundAt].compactMap(\.self).min() ?? sample
      guard min(due, sample) <= until else { break }
      if sample < due {
        now = sample
        watch()
        continue
      }
      now = max(now, due)
      events += 1
      if events > 10_000 { problem = "it asks for the same moment again and again" }
      happen()
      watch()
    }
    now = until
    look()
    watch()
  }

  private mutating func happen() {
    if let due = operation?.answer, due <= now { answer() }
    if let due = nextNotification, due <= now {
      nextNotification = now.advanced(byMicroseconds: 1_000_000)
      if isSubscribed, !isMuted {
        (heard, hasAskedAgain, wasHindered) = (now, false, false)
        if machine.state.phase != .live { send(.notification) }
      }
    }
    if let due = resolvedAt, due <= now {
      resolvedAt = nil
      surroundings.device?.servicesResolved = true
      surroundings.device?.hasHeartRate = true
      look()
    }
    if let due = foundAt, due <= now {
      foundAt = nil
      if isSearching, isInRange {
        if surroundings.device == nil { surroundings.device = LinkSurroundings.Device() }
        surroundings.device?.isInRange = true
        look()
      }
    }
    if let due = machine.deadline, due <= now { send(.tick) }
  }

  private mutating func look() { send(.surroundings(surroundings)) }

  // MARK: - Steps

  private mutating func send(_ input: LinkInput) {
    for action in machine.handle(input, heard: heard, at: now) {
      switch action {
      case .search(let isWanted):
        isSearching = isWanted
        foundAt = nil
      case .abandon: operation = nil
      case .unsubscribe: (isSubscribed, isListening) = (false, false)
      case .begin(let step, let number): begin(step, number)
      }
    }
  }

  private mutating func begin(_ step: LinkStep, _ number: Int) {
    if let operation { problem = "\(step) begins while \(operation.step) runs" }
    if isSearching { problem = "\(step) begins during a search" }
    if step == .connect, let gaveUpAt, now.microseconds(since: gaveUpAt) < Promise.pause { problem = "no pause" }
    if case .subscribe = step { hasAskedAgain = true }
    var fault = nextFault
    nextFault = nil
    if case .subscribe = step, hasLostBond { fault = .notAuthorised }
    if step == .connect, !isInRange { stalls = true }
    if stalls || fault != nil { wasHindered = true }
    operation = Operation(
      step: step, number: number, answer: stalls ? nil : now.advanced(byMicroseconds: 150_000), fault: fault)
    stalls = false
  }

  private mutating func answer() {
    guard let done = operation else { return }
    operation = nil
    if done.fault == nil { apply(done.step) }
    send(.ended(number: done.number, fault: done.fault))
    look()
  }

  private mutating func apply(_ step: LinkStep) {
    switch step {
    case .connect:
      guard isInRange else { return }
      if surroundings.device == nil { surroundings.device = LinkSurroundings.Device() }
      surroundings.device?.isConnected = true
      connectedAt = now
      resolvedAt = now.advanced(byMicroseconds: 500_000)
    case .subscribe:
      guard surroundings.device?.isConnected == true else { return }
      (isSubscribed, isListening) = (true, true)
      nextNotification = now.advanced(byMicroseconds: 700_000)
    case .pair: surroundings.device?.isPaired = true
    case .disconnect: loseLink()
    case .forget:
      loseLink()
      surroundings.device = nil
      hasLostBond = false
    }
  }

  // MARK: - Promises

  private mutating func watch() {
    let phase = machine.state.phase
    if phase == .backingOff { gaveUpAt = machine.state.since }
    if isListening, ![.subscribing, .live, .silent].contains(phase) { problem = "somebody listens while \(phase)" }
    if phase == .live {
      if !isListening { problem = "live without a subscription" }
      if surroundings.device?.isConnected != true { problem = "live without a link" }
      if heard.map({ now.microseconds(since: $0) > Promise.stale }) ?? true { problem = "live, and nothing is heard" }
    }
    guard let connectedAt, [.live, .silent, .subscribing].contains(phase) else { return }
    let silence = now.microseconds(since: max(connectedAt, heard ?? connectedAt))
    if silence > Promise.resubscribed, !hasAskedAgain { problem = "not asked for again after \(silence) µs" }
    if silence > Promise.reconnected, !wasHindered { problem = "a silent link is kept for \(silence) µs" }
  }
}
