import BlueZ
import CommandProcess
import Dispatch
import Glibc

/// Asks the person at the terminal. Without a terminal, it refuses requests that need an answer.
package struct TerminalPairingPrompt: PairingPromptProtocol {

  package init() {

  }
  package func passkey(for strap: String) async -> UInt32? {
    await ask("the passkey of \(strap): ").flatMap { UInt32($0) }
  }

  package func confirms(_ passkey: UInt32, for strap: String) async -> Bool {
    await ask("does \(strap) show \(Self.padded(passkey))? (y/n) ")?.lowercased().hasPrefix("y") ?? false
  }

  package func show(_ passkey: UInt32, for strap: String) async {
    StandardStreams.error("enter \(Self.padded(passkey)) on \(strap)")
  }

  /// A line from the terminal, read on a thread that may wait.
  private func ask(_ question: String) async -> String? {
    guard StandardStreams.isInputTerminal else {
      StandardStreams.error("\(question)there is no terminal to ask on; use --passkey")
      return nil
    }
    StandardStreams.errorPart(question)
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let isThere = Interrupt.wait(for: STDIN_FILENO, POLLIN, afterRequest: 0)
        continuation.resume(returning: isThere ? readLine() : nil)
      }
    }
  }

  private static func padded(_ passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }
}
