import CDBus
import Threads

/// Passes incoming calls to the exported objects and sends their replies. Used only on the reactor's thread.
final class CallServer {
  /// The maximum number of calls answered at the same time. Further calls are refused, so that no caller can exhaust the
  /// memory.
  private static let mostCalls = 4096

  private let mailbox: DBusMailbox
  private var running = 0

  init(mailbox: DBusMailbox) {
    self.mailbox = mailbox
  }

  /// Starts answering a call. A refusal is sent with `send`.
  func receive(_ message: MessageHandle, send: (MessageHandle) -> Void) {
    guard let path = message.path, let member = message.member, let sender = message.sender else { return }
    let replyExpected = dbus_message_get_no_reply(message.message) == 0
    do throws(DBusError) {
      // libdbus would answer that the object has no such method.
      guard let handler = mailbox.exports.withLock({ $0.handler(of: path) }) else {
        throw .remote(name: BusNames.unknownObject, message: "there is no object at \(path)")
      }
      guard running < Self.mostCalls else {
        throw .remote(name: BusNames.limitsExceeded, message: "\(Self.mostCalls) calls are being answered")
      }
      let call = DBusIncomingCall(
        sender: sender, path: path, interface: message.interface, member: member,
        arguments: try message.arguments(), replyExpected: replyExpected)
      begin(call, message, handler)
    } catch {
      if replyExpected, let reply = ServedCall.reply(to: message, .failure(error)) { send(reply) }
    }
  }

  private func begin(_ call: DBusIncomingCall, _ message: MessageHandle, _ handler: @escaping ExportTable.Handler) {
    running += 1
    let served = ServedCall(call: call, message: message, handler: handler, mailbox: mailbox)
    Task { await served.run() }
  }

  func served() { running -= 1 }
}
