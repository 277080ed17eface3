import ArgumentParser
import Listening
import StressKit
import TachogramCore

/// The options of commands that receive straps.
struct ListeningOptions: ParsableArguments {
  @Argument(help: "Straps, by name or address.")
  var straps: [String] = []

  @OptionGroup var radio: RadioOptions

  @Option(help: "Play this capture instead of using a radio.", completion: .file())
  var replay: String?

  @Flag(help: "With --replay: start again when the capture ends.")
  var loop = false

  @Option(help: "With --replay: a multiple of real time.")
  var speed = ReplaySpeed.real

  @Flag(help: "Wait until Bluetooth is available instead of exiting.")
  var wait = false

  @Option(help: "The passkey to enter when a strap is bonded again, 0 to 999999.")
  var passkey: UInt32?

  @Option(help: "The person who wears the strap.", transform: NameOption.name)
  var person: String?

  @Option(help: "The HRV metric that stress levels are computed from: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  func validate() throws {
    if let passkey, passkey > 999_999 { throw ValidationError("--passkey is 0 to 999999.") }
    if replay == nil, loop { throw ValidationError("--loop requires --replay.") }
    if speed.factor == nil, loop { throw ValidationError("--loop cannot be combined with --speed max.") }
  }

  /// The plan of the options.
  var plan: ListeningPlan {
    ListeningPlan(
      straps: straps, radio: radio.choice, capture: replay, isRepeated: loop, speed: speed, waits: wait,
      passkey: passkey)
  }
}
