import CDBus

/// Tracks the owners of well-known names. Signals carry the unique name of their sender, and any client of the bus may address
/// a signal to this connection. A genuine signal can therefore be recognised only if the owner is known. Used only on the
/// reactor's thread.
final class OwnerTracker {
  typealias Watcher = @Sendable (String?) -> Void

  private enum Knowledge {
    case asking
    case known(String?)
    case failed(DBusError)
  }

  private struct Watch {
    var identifier: UInt64
    var watcher: Watcher
    var ending: @Sendable () -> Void
    var completion: SignalRouter.Completion?
  }

  private struct Name {
    var uses = 0
    var knowledge = Knowledge.asking
    var watches: [Watch] = []
    /// Distinguishes answers to an earlier use of the same name.
    var generation: UInt64
  }

  private let callBus: SignalRouter.CallBus
  private var names: [String: Name] = [:] {
    didSet { revision &+= 1 }
  }
  /// Increases whenever an owner may have changed.
  private(set) var revision: UInt64 = 0
  private var generation: UInt64 = 0

  init(callBus: @escaping SignalRouter.CallBus) {
    self.callBus = callBus
  }

  /// Returns the owner of `name`, or `nil` if there is no owner or it is not known.
  func owner(of name: String) -> String? {
    if case .known(let owner)? = names[name]?.knowledge { owner } else { nil }
  }

  /// Returns the reason why the owner is not known after the bus has replied, or `nil` if it is known.
  func failure(of name: String) -> DBusError? {
    switch names[name]?.knowledge {
    case .known: nil
    case .failed(let error): error
    case .asking, nil: .unexpected("no owner of \(name) was told")
    }
  }

  func retain(_ name: String) {
    if names[name] != nil {
      names[name]?.uses += 1
      return
    }
    generation += 1
    let mine = generation
    names[name] = Name(uses: 1, generation: mine)
    callBus("AddMatch", [.string(BusNames.ownerRule(of: name).text)]) { [weak self] result in
      if case .failure(let error) = result { self?.learn(.failed(error), name, generation: mine) }
    }
    callBus("GetNameOwner", [.string(name)]) { [weak self] result in
      self?.learn(Self.knowledge(from: result), name, generation: mine)
    }
  }

  func release(_ name: String) {
    guard let uses = names[name]?.uses else { return }
    names[name]?.uses = uses - 1
    guard uses == 1 else { return }
    names[name] = nil
    callBus("RemoveMatch", [.string(BusNames.ownerRule(of: name).text)]) { _ in }
  }

  /// Calls `watcher` with the current owner and whenever the owner changes.
  func watch(
    _ name: String, identifier: UInt64, watcher: @escaping Watcher, ending: @escaping @Sendable () -> Void,
    completion: @escaping SignalRouter.Completion
  ) {
    retain(name)
    var watch = Watch(identifier: identifier, watcher: watcher, ending: ending, completion: completion)
    switch names[name]?.knowledge {
    case .known(let owner):
      watch.completion = nil
      names[name]?.watches.append(watch)
      watcher(owner)
      completion(.success(()))
    case .failed(let error):
      release(name)
      completion(.failure(error))
    case .asking, nil: names[name]?.watches.append(watch)
    }
  }

  func removeWatch(_ identifier: UInt64, of name: String) {
    guard let watches = names[name]?.watches, watches.contains(where: { $0.identifier == identifier }) else { return }
    names[name]?.watches.removeAll { $0.identifier == identifier }
    release(name)
  }

  /// Handles a `NameOwnerChanged` signal of the bus; ignores other signals.
  func ownerChanged(_ message: MessageHandle) {
    guard !names.isEmpty,
      dbus_message_is_signal(message.message, BusNames.interface, BusNames.nameOwnerChanged) != 0,
      message.sender == BusNames.destination, let arguments = try? message.arguments().exactly(3),
      let name = try? arguments[0].asString(), let owner = try? arguments[2].asString(), let known = names[name]
    else { return }
    learn(.known(owner.isEmpty ? nil : owner), name, generation: known.generation)
  }

  /// Ends all watches, because the connection is closed.
  func end() {
    let ended = names.values.flatMap(\.watches)
    names = [:]
    for watch in ended {
      watch.completion?(.failure(.disconnected))
      watch.ending()
    }
  }

  private func learn(_ knowledge: Knowledge, _ name: String, generation: UInt64) {
    guard var entry = names[name], entry.generation == generation else { return }
    switch (entry.knowledge, knowledge) {
    // The reply to `GetNameOwner`, received after the signal or after the rule was refused.
    case (.known(let old), .known(let new)) where old == new: return
    case (.failed, _), (.known, .failed): return
    default: break
    }
    entry.knowledge = knowledge
    let watches = entry.watches
    for index in entry.watches.indices { entry.watches[index].completion = nil }
    if case .failed = knowledge { entry.watches = [] }
    names[name] = entry
    for watch in watches {
      switch knowledge {
      case .known(let owner):
        watch.watcher(owner)
        watch.completion?(.success(()))
      case .failed(let error):
        watch.completion?(.failure(error))
        release(name)
      case .asking: break
      }
    }
  }

  private static func knowledge(from result: Result<MessageHandle, DBusError>) -> Knowledge {
    do {
      let values = try result.get().arguments().exactly(1)
      return .known(try values[0].asString())
    } catch .remote(BusNames.nameHasNoOwner, _) {
      return .known(nil)
    } catch {
      return .failed(error)
    }
  }
}
