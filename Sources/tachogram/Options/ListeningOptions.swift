import ArgumentParser
import Listening
import StressKit
import TachogramCore

/// The options of the commands that listen to straps.
struct ListeningOptions: ParsableArguments {
  @Argument(help: "Straps, by name or address.")
  var straps: [String] = []

  @OptionGroup var radio: RadioOptions

  @Option(help: "Play this capture in place of a radio, as if its straps were here now.", completion: .file())
  var replay: String?

  @Flag(help: "With --replay: begin again when the capture ends.")
  var loop = false

  @Option(help: "With --replay: a factor of the capture's own time.")
  var speed = ReplaySpeed.real

  @Flag(help: "Wait for Bluetooth when it is not available, rather than end.")
  var wait = false

  @Option(help: "The passkey that the strap asks for when it is bonded anew, 0 to 999999.")
  var passkey: UInt32?

  @Option(help: "The person who wears the strap.", transform: NameOption.name)
  var person: String?

  @Option(help: "Which metric stands for HRV in the stress level: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  func validate() throws {
    if let passkey, passkey > 999_999 { throw ValidationError("--passkey is 0 to 999999.") }
    if replay == nil, loop { throw ValidationError("--loop goes with --replay.") }
    if speed.factor == nil, loop { throw ValidationError("--loop cannot go with --speed max.") }
  }

  /// What is asked for, without the words.
  var plan: ListeningPlan {
    ListeningPlan(
      straps: straps, radio: radio.choice, capture: replay, isRepeated: loop, speed: speed, waits: wait,
      passkey: passkey)
  }
}
