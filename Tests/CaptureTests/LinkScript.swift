import TachogramTestKit

/// A random capture of devices with several links each, every one of which discovers before it notifies. The handles can be
/// dealt anew on each link and whenever the services change, and packets of another device put between the others.
struct LinkScript {
  /// One thing that happens.
  private enum Step {
    case connect(device: UInt8)
    case discover
    case notify(UInt8)
    case notifyBattery
    case changeServices
    case disconnect
  }

  private static let strangers: [UInt8] = [0x77, 0x00, 0x00, 0xEE, 0xFF, 0xC0]

  private var links: [[Step]] = []
  /// How many heart rates the capture holds.
  private(set) var heartRates = 0

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      var steps: [Step] = [.connect(device: UInt8.random(in: 1...2, using: &random)), .discover]
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: steps += [.changeServices, .discover]
        case 1: steps.append(.discover)
        case 2, 3: steps.append(.notifyBattery)
        default:
          steps.append(.notify(UInt8.random(in: 40...200, using: &random)))
          heartRates += 1
        }
      }
      if Bool.random(using: &random) { steps.append(.disconnect) }
      links.append(steps)
    }
  }

  /// The capture. With a `deal`, the handles are dealt by it; with `strangers`, another device discovers and
  /// notifies between the packets, at the times of those.
  func capture(deal: UInt64? = nil, strangers seed: UInt64? = nil) -> [UInt8] {
    var script = PacketScript()
    var random = deal.map { SplitMix64(seed: $0) }
    var strangers = seed.map { SplitMix64(seed: $0) }
    if strangers != nil { Self.connectStranger(&script) }
    for (number, link) in links.enumerated() {
      var handles: [UInt16] = [0x10, 0x20, 0x30]
      if random != nil { handles = Self.deal(&random) }
      script.connection = 0x40 + UInt16(number)
      for step in link {
        add(step, handles, &script)
        if case .changeServices = step, random != nil { handles = Self.deal(&random) }
        if strangers != nil { Self.addStranger(&script, &strangers) }
      }
    }
    return CaptureWrapping.btsnoop(script)
  }

  private func add(_ step: Step, _ handles: [UInt16], _ script: inout PacketScript) {
    switch step {
    case .connect(let device): script.connect([device, 0x00, 0x00, 0xEE, 0xFF, 0xC0])
    case .discover:
      script.discover(handles[0])
      script.discover(handles[1], uuid: 0x2A19)
      script.discoverServiceChanged(handles[2])
    case .notify(let rate): script.notify([0x16, rate, 0, 4], handle: handles[0])
    case .notifyBattery: script.notify([80], handle: handles[1])
    case .changeServices: script.changeServices(handle: handles[2])
    case .disconnect: script.disconnect()
    }
  }

  /// Three handles apart from each other, in any order.
  private static func deal(_ random: inout SplitMix64?) -> [UInt16] {
    guard var generator = random else { return [] }
    defer { random = generator }
    return (1...30).map { UInt16($0 * 8) }.shuffled(using: &generator).prefix(3).map(\.self)
  }

  // MARK: - Somebody else

  private static func connectStranger(_ script: inout PacketScript) {
    atTheSameTime(&script) { $0.connect(strangers) }
  }

  private static func addStranger(_ script: inout PacketScript, _ random: inout SplitMix64?) {
    guard var generator = random else { return }
    defer { random = generator }
    atTheSameTime(&script) { script in
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: script.discover(0x10, uuid: 0x2A19)
      case 1: script.discover(0x20, uuid: 0x2A37)
      case 2: script.notify([80], handle: 0x10)
      default: break
      }
    }
  }

  private static func atTheSameTime(_ script: inout PacketScript, _ body: (inout PacketScript) -> Void) {
    let (time, connection, interval) = (script.time, script.connection, script.interval)
    (script.connection, script.interval) = (0x7F, 0)
    body(&script)
    (script.time, script.connection, script.interval) = (time, connection, interval)
  }
}
