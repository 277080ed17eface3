import BlueZ
import CommandProcess
import Listening
import Logging
import Presentation
import Repository
import Sessions
import TachogramCore

/// Has the radio listen to the straps that are known, as they are paired, renamed and forgotten while the station runs.
package actor StrapFollower {
  /// What decides which straps are listened to.
  private struct Wanted: Equatable {
    var words: [String]
    var sensors: SensorWishes
    var known: [KnownStrap]
  }

  private let radio: BlueZRadioSource
  private let database: TachogramDatabase
  private let mark: PairedMark
  private let queue = QueryQueue()
  private let logger: Logger
  private var last: Wanted?
  /// The straps that words of the configuration meant while they were known by them.
  private var meant: [String: BluetoothAddress] = [:]
  /// Whether a strap was ever known.
  private var hasKnown: Bool
  private var problem: String?
  /// Called with the names of the straps.
  private var rename: (@Sendable (StrapNames) -> Void)?
  /// The strap that is being paired, to which the radio does not connect.
  private var released: BluetoothAddress?
  /// The straps that the radio would follow otherwise.
  private var straps: [BlueZSourceOptions.Strap] = []

  package init(radio: BlueZRadioSource, database: TachogramDatabase, logger: Logger) {
    self.radio = radio
    self.database = database
    mark = PairedMark(database: database.path)
    hasKnown = mark.isSet
    self.logger = logger
  }

  /// Looks at what is known; `words` are the straps of the configuration, by name or address, none for all that are
  /// known, and `sensors` is what they are asked for. Where it is something else than at the last look, `rename` is given the names, and then the radio listens to it.
  package func follow(
    _ words: [String], sensors: SensorWishes = SensorWishes(), rename: @escaping @Sendable (StrapNames) -> Void,
  ) async {
    self.rename = rename
    do {
      let known = try await queue.run { [database] in try StrapRepository(database: database).straps() }
      problem = nil
      let wanted = Wanted(words: words, sensors: sensors, known: known)
      guard wanted != last else { return }
      note(known)
      let isFirst = last == nil
      last = wanted
      var choice = StrapChoice(known: known)
      choice.sensors = sensors
      choice.onlyKnown = hasKnown
      straps = try straps(words, choice, known)
      // Ordinals are places in the list of straps at first, and only then.
      rename(StrapNames(wanted: isFirst ? choice.names(words) : [], known: known))
      radio.follow(followed)
    } catch {
      let problem = "\(error)"
      if problem != self.problem {
        logger.error(
          "the paired straps cannot be read; the station keeps to those that it knew",
          metadata: ["error": "\(LogText.safe(problem))"])
      }
      self.problem = problem
    }
  }

  /// Notes the straps that are known: whoever forgets the last one does not mean that any is welcome, the forgotten one among them.
  private func note(_ known: [KnownStrap]) {
    hasKnown = hasKnown || !known.isEmpty
    do {
      try mark.set(known)
    } catch {
      logger.error(
        "which straps are paired cannot be noted", metadata: ["error": "\(LogText.safe(ErrorReason.text(error)))"])
    }
  }

  // MARK: - Pairing

  /// Disconnects from a strap that is about to be paired, until `resume` is called.
  package func release(_ address: BluetoothAddress) {
    released = address
    radio.follow(followed)
  }

  /// Follows all straps again, with one that was paired meanwhile: otherwise the first strap in range would be recorded until the next
  /// look.
  package func resume() async {
    released = nil
    if let last, let rename { await follow(last.words, sensors: last.sensors, rename: rename) }
    radio.follow(followed)
  }

  /// The straps to follow. The first strap in range might be the one that is being paired.
  var followed: [BlueZSourceOptions.Strap] {
    guard let released else { return straps }
    return straps.filter { strap in
      if case .address(let address) = strap.selector { !address.matches(released) } else { false }
    }
  }

  private func straps(
    _ words: [String], _ choice: StrapChoice, _ known: [KnownStrap],
  ) throws -> [BlueZSourceOptions.Strap] {
    if words.isEmpty { return try choice.straps(words) }
    let resolved = words.compactMap { word -> String? in
      if let strap = choice.strap(named: word) { meant[word] = strap.address }
      guard let address = meant[word] else { return word }
      let isKnown = known.contains { $0.address.matches(address) }
      if !isKnown { logger.notice("a strap of the configuration was forgotten and is not listened to") }
      return isKnown ? address.description : nil
    }
    return resolved.isEmpty ? [] : try choice.straps(resolved)
  }
}
