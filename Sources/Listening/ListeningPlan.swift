import BlueZ
import BluetoothKernel
import Capture
import CommandProcess
import Presentation
import Recording
import TachogramCore

/// Which straps are listened to, and how: by a radio, or from a capture in its place.
package struct ListeningPlan: Sendable {
  /// By name or address.
  package var straps: [String] = []
  package var radio: RadioChoice
  /// The capture in place of the radio.
  package var capture: String?
  /// Whether the capture begins again when it ends.
  package var isRepeated = false
  package var speed = ReplaySpeed.real
  /// Whether to wait for Bluetooth when it is not available.
  package var waits = false
  package var passkey: UInt32?
  /// What is asked of straps beside the heart rate.
  package var sensors = SensorWishes()
  /// The known straps, or `nil` to read them from the database at the path that is given.
  package var known: [KnownStrap]?
  /// Whether no strap is listened to while none is known, instead of the first one received.
  package var onlyKnown = false
  /// Called when a measurement stream does not run.
  package var reportStream: @Sendable (SensorStreamReport) -> Void = { _ in }

  package init(
    straps: [String] = [], radio: RadioChoice, capture: String? = nil, isRepeated: Bool = false,
    speed: ReplaySpeed = ReplaySpeed.real, waits: Bool = false, passkey: UInt32? = nil,
  ) {
    self.straps = straps
    self.radio = radio
    self.capture = capture
    self.isRepeated = isRepeated
    self.speed = speed
    self.waits = waits
    self.passkey = passkey
  }

  /// The clocks that everything runs by: those of the machine, faster or slower when a capture is.
  package func time() -> any TimeSourceProtocol {
    guard capture != nil, let factor = speed.factor, factor != 1 else { return SystemTimeSource() }
    return PacedTimeSource(factor: factor)
  }

  /// The source that the options ask for; `time` is `time()`. Throws with exit code 4 when Bluetooth is not available.
  package func source(databasePath: String, time: any TimeSourceProtocol) async throws -> any RadioSourceProtocol {
    if let capture { return try replaySource(capture, time) }
    return try await radioSource(databasePath: databasePath)
  }

  /// Returns the names of the straps of `source`.
  package func names(databasePath: String) throws -> StrapNames {
    let choice = try self.choice(databasePath)
    return StrapNames(wanted: capture == nil ? choice.names(straps) : [], known: choice.known)
  }

  /// The radio itself.
  package func radioSource(databasePath: String) async throws -> BlueZRadioSource {
    let wanted = try choice(databasePath).straps(straps)
    if !waits { try await radio.requireBluetooth() }
    var options = radio.source(wanted)
    options.prompt = FixedPasskeyPrompt(passkey: passkey)
    options.reportStream = reportStream
    let time = SystemTimeSource()
    let kernel = await Self.kernel()
    return BlueZRadioSource(
      options, time: time, reasons: kernel.map { KernelDisconnectReasons($0, time: time) },
      preparation: kernel.map { KernelLinkPreparation($0) })
  }

  private func choice(_ databasePath: String) throws -> StrapChoice {
    var choice = try known.map(StrapChoice.init(known:)) ?? StrapChoice(databasePath: databasePath)
    choice.sensors = sensors
    choice.onlyKnown = onlyKnown
    return choice
  }

  /// The kernel's management socket, or `nil` without permission; receiving straps does not depend on it.
  private static func kernel() async -> ManagementSocket? {
    guard let socket = try? ManagementSocket.open(), (try? await socket.hearsDisconnections()) == true else {
      return nil
    }
    return socket
  }

  private func replaySource(_ path: String, _ time: any TimeSourceProtocol) throws -> ReplayRadioSource {
    try CommandFailure.wording {
      let replay = CaptureReplay(path: path)
      let plan = try replay.plan()
      if plan.straps.isEmpty { throw plan.refusal(path: path) }
      return ReplayRadioSource(
        replay, plan: plan, time: time, speed: speed.factor.map { _ in 1 }, repeats: isRepeated)
    }
  }
}
