import ArgumentParser
import BluetoothKernel
import CommandProcess
import Recording
import TachogramCore

/// `capture`: the traffic between straps and this host, as a capture that can be replayed.
struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract:
      "Capture the Bluetooth traffic of heart-rate straps in a btsnoop file, for replay, Wireshark and bug reports.",
    discussion: """
      This command only listens. Connect the strap with another command, such as record. The file contains the \
      connections of straps and, without --all, nothing else; it never contains a key. Requires CAP_NET_RAW, which \
      root has.
      """,
  )

  /// The time between two checks of the clock and of Ctrl-C, in milliseconds.
  private static let timeout: Int32 = 200
  private static let flushInterval = Duration.seconds(1)

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  @Option(help: "Stop after this time, such as 90s, 30m or 8h. Default: until Ctrl-C.")
  var duration: SpanOption?

  @Option(help: "The address of a strap to capture before its heart-rate service is seen. Repeatable.")
  var strap: [StrapAddress] = []

  @Flag(help: "Capture everything except keys and audio, including devices of other people.")
  var all = false

  @Flag(help: "Overwrite an existing file.")
  var force = false

  func run() throws {
    var channel = try Self.openChannel()
    let recorder = try MonitorRecorder(path: file, replacing: force)
    Interrupt.allow(.recording)
    var filter = HeartRateLinkFilter(
      scope: all ? .everything : .heartRateLinks, known: strap.map(\.address),
      start: SystemTimeSource().now().wall.microseconds)
    let clock = ContinuousClock()
    let start = clock.now
    let end = duration.map { start.advanced(by: .seconds($0.seconds)) }
    var flushed = start
    while !Interrupt.isRequested, end.map({ clock.now < $0 }) ?? true {
      let frames = try Self.wording { try channel.frames(waitingUpTo: Self.timeout) }
      for frame in frames { filter.process(frame).forEach(recorder.append) }
      if clock.now - flushed >= Self.flushInterval {
        try recorder.flush()
        flushed = clock.now
      }
    }
    filter.finish().forEach(recorder.append)
    try recorder.flush()
    if filter.heartRateLinks > 0 || all { ProcessEnd.settle(.done) }
    try conclude(filter)
  }

  private func conclude(_ filter: HeartRateLinkFilter) throws {
    StandardStreams.error(
      "tachogram: \(file): \(filter.written) frame(s), \(filter.heartRateLinks) connection(s) with a strap")
    if filter.heartRateLinks == 0, !all {
      throw CommandFailure(
        "no strap was captured; connect one while the capture runs, for example with `tachogram record`",
        code: .badInput)
    }
  }

  private static func openChannel() throws -> MonitorChannel {
    do {
      return try MonitorChannel.open()
    } catch {
      throw CommandFailure("Bluetooth cannot be captured: \(error)", code: .noBluetooth)
    }
  }

  private static func wording<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as KernelAccessError {
      throw CommandFailure("the capture ended early: \(error)", code: .failed)
    }
  }
}
