import Foundation
import Glibc

/// The measurements of this package for tools/bench link, one for each process. Receivers report when they are ready and when
/// they have received everything, and then wait for the end of standard input, so that their resource usage can be read.
@main
enum Bench {
  private static let usage = """
    usage: tachogram-bench-dbus subscribe|stream ADDRESS SIGNALS
           tachogram-bench-dbus call ADDRESS CALLS
           tachogram-bench-dbus notify DESCRIPTOR PACKETS
           tachogram-bench-dbus send DESCRIPTOR PACKETS

    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else { try refuse() }
    switch (arguments[0], Int32(arguments[1])) {
    case ("subscribe", nil): try await SignalReceiver(address: arguments[1], count: count).subscribe()
    case ("stream", nil): try await SignalReceiver(address: arguments[1], count: count).stream()
    case ("call", nil): try await Caller(address: arguments[1], count: count).run()
    case ("notify", let descriptor?): try await PacketReceiver(descriptor: descriptor, count: count).run()
    case ("send", let descriptor?): try PacketSender(descriptor: descriptor, count: count).run()
    default: try refuse()
    }
  }

  private static func refuse() throws -> Never {
    try FileHandle.standardError.write(contentsOf: Data(usage.utf8))
    exit(2)
  }

  /// Prints a line for tools/bench link.
  static func report(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  static func waitForEndOfInput() throws {
    _ = try FileHandle.standardInput.readToEnd()
  }
}
