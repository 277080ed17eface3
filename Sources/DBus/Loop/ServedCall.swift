/// A call that an exported object is answering.
struct ServedCall: Sendable {
  let call: DBusIncomingCall
  let message: MessageHandle
  let handler: ExportTable.Handler
  let mailbox: DBusMailbox

  /// Calls the handler of the object and sends its reply.
  func run() async {
    let outcome = await outcome()
    let reply = call.replyExpected ? Self.reply(to: message, outcome) : nil
    mailbox.post { loop in
      loop.callServed()
      if let reply { loop.send(reply) }
    }
  }

  private func outcome() async -> Result<[DBusValue], DBusError> {
    do throws(DBusError) { return .success(try await handler(call)) } catch { return .failure(error) }
  }

  static func reply(to message: MessageHandle, _ outcome: Result<[DBusValue], DBusError>) -> MessageHandle? {
    do {
      return try message.reply(try outcome.get())
    } catch .remote(let name, let text) {
      return try? message.errorReply(name: name, text: text)
    } catch {
      return try? message.errorReply(name: BusNames.failed, text: "\(error)")
    }
  }
}
