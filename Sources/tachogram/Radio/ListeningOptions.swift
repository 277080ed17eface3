import ArgumentParser
import BlueZ
import Capture
import Recording
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

  @Option(help: "The person who wears the strap.")
  var person: String?

  @Option(help: "Which metric stands for HRV in the stress level: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  func validate() throws {
    if let passkey, passkey > 999_999 { throw ValidationError("--passkey is 0 to 999999.") }
    if replay == nil, loop { throw ValidationError("--loop goes with --replay.") }
    if speed.factor == nil, loop { throw ValidationError("--loop cannot go with --speed max.") }
  }

  /// The clocks that everything runs by: those of the machine, faster or slower when a capture is.
  func time() -> any TimeSourceProtocol {
    guard replay != nil, let factor = speed.factor, factor != 1 else { return SystemTimeSource() }
    return PacedTimeSource(factor: factor)
  }

  /// The source that the options ask for; `time` is `time()`. Throws with exit code 4 when Bluetooth is not available.
  func source(databasePath: String, time: any TimeSourceProtocol) async throws -> any RadioSourceProtocol {
    if let replay { return try replaySource(replay, time) }
    return try await radioSource(databasePath: databasePath)
  }

  /// What to call the straps of `source`.
  func names(databasePath: String) throws -> StrapNames {
    let choice = try StrapChoice(databasePath: databasePath)
    return StrapNames(wanted: replay == nil ? choice.names(straps) : [], choice: choice)
  }

  /// The radio itself.
  func radioSource(databasePath: String) async throws -> BlueZRadioSource {
    let wanted = try StrapChoice(databasePath: databasePath).straps(straps)
    if !wait { try await radio.requireBluetooth() }
    var options = radio.source(wanted)
    options.prompt = FixedPasskeyPrompt(passkey: passkey)
    let time = SystemTimeSource()
    let kernel = await Self.kernel()
    return BlueZRadioSource(
      options, time: time, reasons: kernel.map { KernelDisconnectReasons($0, time: time) },
      preparation: kernel.map { KernelLinkPreparation($0) })
  }

  /// The kernel's own word on links, where this process may hear it; listening does not depend on it.
  private static func kernel() async -> ManagementSocket? {
    guard let socket = try? ManagementSocket.open(), (try? await socket.hearsDisconnections()) == true else {
      return nil
    }
    return socket
  }

  private func replaySource(_ path: String, _ time: any TimeSourceProtocol) throws -> ReplayRadioSource {
    try CommandFailure.wording {
      let replay = CaptureReplay(path: path)
      return ReplayRadioSource(
        replay, plan: try replay.plan(), time: time, speed: speed.factor.map { _ in 1 }, repeats: loop)
    }
  }
}
