import BlueZ
import TachogramCore

/// Plays a link machine against a clock of its own, and remembers what it asked for.
struct LinkScript {
  var machine: LinkMachine
  var now = MonotonicTime(microseconds: 1_000_000)
  var surroundings = LinkSurroundings()
  private(set) var actions: [LinkAction] = []
  private var heard: MonotonicTime?

  init(wantsBond: Bool = false, way: NotificationTransport = .acquire) {
    machine = LinkMachine(way: way, wantsBond: wantsBond, seed: 1, at: now)
  }

  var phase: LinkPhase { machine.state.phase }
  var reason: LinkReason? { machine.state.reason }

  /// The step that was asked for last.
  var step: LinkStep? {
    actions.reversed().lazy.compactMap { if case .begin(let step, _) = $0 { step } else { nil } }.first
  }

  private var number: Int {
    actions.reversed().lazy.compactMap { if case .begin(_, let number) = $0 { number } else { nil } }.first ?? 0
  }

  func count(of step: LinkStep) -> Int {
    actions.count { if case .begin(step, _) = $0 { true } else { false } }
  }

  @discardableResult
  mutating func send(_ input: LinkInput) -> [LinkAction] {
    let news = machine.handle(input, heard: heard, at: now)
    actions += news
    return news
  }

  mutating func look(_ change: (inout LinkSurroundings) -> Void = { _ in }) {
    change(&surroundings)
    send(.surroundings(surroundings))
  }

  mutating func device(_ change: (inout LinkSurroundings.Device) -> Void) {
    look { surroundings in
      var device = surroundings.device ?? LinkSurroundings.Device()
      change(&device)
      surroundings.device = device
    }
  }

  mutating func end(_ fault: LinkFault? = nil) {
    send(.ended(number: number, fault: fault))
  }

  /// Lets time pass, with the ticks that the machine asks for.
  mutating func pass(seconds: Double) {
    let until = now.advanced(byMicroseconds: Int64(seconds * 1e6))
    var ticks = 0
    while let due = machine.deadline, due <= until, ticks < 10_000 {
      now = max(now, due)
      send(.tick)
      ticks += 1
    }
    precondition(ticks < 10_000, "the machine asks for the same tick again and again")
    now = until
    look()
  }

  /// Notifications once a second.
  mutating func notify(seconds: Int) {
    for _ in 0..<seconds {
      pass(seconds: 1)
      heard = now
      if phase != .live { send(.notification) }
    }
  }

  /// Brings the link up to its first notifications.
  mutating func goLive() {
    look()
    device { $0.isInRange = true }
    end()
    device { $0.isConnected = true }
    resolve()
    if step == .pair { end() }
    end()
    heard = nil
    notify(seconds: 2)
  }

  /// Connected, and everything that the strap offers is known.
  mutating func resolve() {
    device {
      $0.isConnected = true
      $0.servicesResolved = true
      $0.hasHeartRate = true
    }
  }

  /// The link goes down, as when the strap walks away.
  mutating func lose() {
    device {
      $0.isConnected = false
      $0.servicesResolved = false
      $0.isInRange = false
      $0.hasHeartRate = false
    }
  }
}
