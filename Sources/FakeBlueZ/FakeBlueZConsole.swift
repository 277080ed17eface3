import TachogramCore

/// A command interface to a fake daemon in lines of text, for people and scripts.
package struct FakeBlueZConsole: Sendable {
  /// A verb with its usage and a summary.
  private struct Verb: Sendable {
    let usage: String
    let summary: String
  }

  /// The reason why a line was rejected.
  private struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  package let fake: FakeBlueZ
  /// The straps that lines refer to by number, beginning with 1.
  package let straps: [FakeStrap]

  package init(fake: FakeBlueZ, straps: [FakeStrap]) {
    self.fake = fake
    self.straps = straps
  }

  private static let verbs = [
    Verb(usage: "advertise N", summary: "strap N is in range and advertises"),
    Verb(usage: "connect N", summary: "another program connects strap N"),
    Verb(usage: "drop N", summary: "end the link of strap N"),
    Verb(usage: "silent N", summary: "strap N stays connected and sends nothing"),
    Verb(usage: "resume N", summary: "strap N sends again"),
    Verb(usage: "away N", summary: "strap N goes out of range, and its link ends"),
    Verb(usage: "signal N DBM", summary: "strap N is heard at another strength"),
    Verb(usage: "battery N PERCENT", summary: "the battery of strap N has another level"),
    Verb(usage: "value N HEX", summary: "strap N notifies these bytes"),
    Verb(usage: "flood N COUNT", summary: "strap N notifies so many values, as fast as they are taken"),
    Verb(usage: "secure N PASSKEY", summary: "strap N wants to be paired, and shows this number"),
    Verb(usage: "forget N", summary: "strap N forgets its bond"),
    Verb(
      usage: "poison N", summary: "the daemon's cache of strap N lacks the heart-rate service from the next link on"),
    Verb(usage: "heal N", summary: "the cache is right again"),
    Verb(usage: "lose N COUNT", summary: "the first values after the next AcquireNotify are lost"),
    Verb(
      usage: "refuse METHOD KIND [MESSAGE]",
      summary: "the next call fails: refuse Connect Failed le-connection-abort-by-local"),
    Verb(usage: "stall METHOD", summary: "the next call is never answered"),
    Verb(usage: "release", summary: "release the advertisement monitors of all clients"),
    Verb(usage: "clear", summary: "take refuse and stall back"),
    Verb(usage: "power on|off", summary: "switch the adapter"),
    Verb(usage: "rfkill [off]", summary: "block the adapter, or let it go"),
    Verb(usage: "unplug", summary: "pull the adapter out"),
    Verb(usage: "plug", summary: "plug an adapter in"),
    Verb(usage: "kill", summary: "kill the daemon"),
    Verb(usage: "end", summary: "end the daemon in order, as on SIGTERM"),
    Verb(usage: "start", summary: "start it again"),
    Verb(usage: "restart [SECONDS]", summary: "kill the daemon and start it again after a while"),
    Verb(usage: "status", summary: "show the straps"),
  ]

  /// The output of `help`.
  package static var help: String {
    verbs.map { verb in
      verb.usage + String(repeating: " ", count: max(1, 30 - verb.usage.count)) + verb.summary
    }.joined(separator: "\n")
  }

  /// Runs a line. Returns the answer, which begins with `ok` or `error` and is empty for an empty line.
  package func run(_ line: String) async -> String {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let verb = words.first else { return "" }
    do {
      return try await perform(verb, Array(words.dropFirst())).map { "ok\n" + $0 } ?? "ok"
    } catch let error as FakeBlueZError {
      return "error \(error.name): \(error.message)"
    } catch {
      return "error \(error)"
    }
  }

  private func perform(_ verb: String, _ words: [String]) async throws -> String? {
    switch verb {
    case "help": return Self.help
    case "status": return await status()
    case "advertise", "connect", "drop", "silent", "resume", "away", "signal", "battery", "value", "flood", "secure",
      "forget", "poison", "heal", "lose":
      try await perform(verb, on: try strap(words), words)
    case "refuse":
      guard words.count >= 2 else { throw usage(verb) }
      await fake.refuse(words[0], FakeBlueZError(words[1], words.dropFirst(2).joined(separator: " ")))
    case "stall":
      guard let method = words.first else { throw usage(verb) }
      await fake.stall(method)
    case "release": await fake.releaseMonitors()
    case "clear": await fake.clearFaults()
    case "power":
      guard let word = words.first, ["on", "off"].contains(word) else { throw usage(verb) }
      try await fake.setPowered(word == "on")
    case "rfkill": try await fake.block(words.first != "off")
    case "unplug": await fake.removeAdapter()
    case "plug": await fake.addAdapter()
    case "kill": await fake.killDaemon()
    case "end": await fake.endDaemon()
    case "start": try await fake.startDaemon()
    case "restart":
      guard let seconds = Double(words.first ?? "0"), (0...86_400).contains(seconds) else { throw usage(verb) }
      try await fake.restartDaemon(downFor: .seconds(seconds))
    default: throw Misuse(description: "there is no verb \"\(verb)\"; help lists them")
    }
    return nil
  }

  private func perform(_ verb: String, on strap: FakeStrap, _ words: [String]) async throws {
    let argument = words.dropFirst().first
    switch verb {
    case "drop": await fake.dropLink(strap)
    case "silent": await fake.goSilent(strap)
    case "resume": await fake.resume(strap)
    case "away":
      await fake.stopAdvertising(strap)
      await fake.dropLink(strap)
    case "advertise": await fake.advertise(strap)
    case "connect": try await FakeDeviceHandler(fake: fake).connect(strap)
    case "signal":
      guard let argument, let signal = Int16(argument) else { throw usage(verb) }
      await fake.setSignal(strap, signal)
    case "battery":
      guard let argument, let percent = UInt8(argument) else { throw usage(verb) }
      await fake.setBattery(strap, percent)
    case "value":
      guard let value = Self.bytes(words.dropFirst().joined()) else { throw usage(verb) }
      await fake.notify(strap, value)
    case "flood":
      guard let argument, let count = Int(argument), count >= 0 else { throw usage(verb) }
      // Beats of one second at 60 per minute, each as the strap would send it.
      await fake.play(strap, repeatElement([0x10, 60, 0x00, 0x04], count: count))
    case "secure":
      guard let argument, let passkey = UInt32(argument), passkey < 1_000_000 else { throw usage(verb) }
      await fake.secure(strap, passkey: passkey)
    case "forget": await fake.forgetBond(strap)
    case "poison": await fake.poisonGATTCache(strap)
    case "heal": await fake.poisonGATTCache(strap, false)
    case "lose":
      guard let argument, let count = Int(argument) else { throw usage(verb) }
      await fake.loseFirstPackets(strap, max(0, count))
    default: throw usage(verb)
    }
  }

  private func strap(_ words: [String]) throws -> FakeStrap {
    guard let word = words.first, let number = Int(word), straps.indices.contains(number - 1) else {
      throw Misuse(description: "which strap? There are 1 … \(straps.count)")
    }
    return straps[number - 1]
  }

  private func usage(_ verb: String) -> Misuse {
    let usage = Self.verbs.first { $0.usage.hasPrefix(verb + " ") }?.usage ?? verb
    return Misuse(description: "usage: \(usage)")
  }

  private func status() async -> String {
    let world = await fake.world
    return straps.enumerated().map { index, strap in
      var words = ["\(index + 1)", strap.address.description, strap.name]
      if world.air[strap.address]?.isInRange != true { words.append("away") }
      if world.isConnected(strap) { words.append("connected") }
      if world.isSubscribed(strap) { words.append("subscribed") }
      if world.air[strap.address]?.isSilent == true { words.append("silent") }
      return words.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
