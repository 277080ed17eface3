import Statistics
import TachogramCore

/// What is said of the handles of one device on all its connections, and what that makes of its notifications.
///
/// A handle means what discovery said last on the link before the notification; where it said nothing on this link, what an
/// earlier link of the device learnt. A Service Changed indication ends the meaning of its handles, on later links too. Where
/// nothing was said before, the next word counts back to there: of discovery on the same link, or on a later one; but only for
/// heart rate, since a handle that turns out to be something else was not so before. What nobody ever names is heart rate where
/// all values are and the notifications were switched on. docs/adr/0002-two-pass-replay.md.
struct DeviceAttributes {
  private struct Statement {
    let moment: Int
    let meaning: AttributeMeaning
  }

  private var statements: [UInt16: [Statement]] = [:]
  /// The moment at which a handle was first said to be heart rate.
  private var firstHeartRates: [UInt16: Int] = [:]
  private var changes: [ServiceChange] = []
  /// From when on there are more changes than are kept.
  private var lastKnownMoment = Int.max
  /// The most Service Changed indications of all connections that are kept: what comes behind them is taken for changed.
  private static let mostChanges = 4096

  /// Whether discovery named a Heart Rate Measurement on any handle.
  private let isStrap: Bool

  /// The attributes of the device whose ends of connections these are; only what is said of `handles` is kept.
  init(_ servers: [AttributeServer], handles: Set<UInt16>) {
    isStrap = servers.contains(where: \.hasHeartRate)
    for server in servers {
      changes += server.serviceChanges
      for said in server.statements where handles.contains(said.handle) {
        statements[said.handle, default: []].append(Statement(moment: said.moment, meaning: said.meaning))
      }
      guard handles.count <= AttributeServer.mostHandles else { continue }
      for handle in handles {
        guard let moment = server.ruledOut(handle) else { continue }
        statements[handle, default: []].append(Statement(moment: moment, meaning: .other))
      }
    }
    // The connections come in their order; only where some are up at once, what is said on them is not.
    changes.sort { $0.moment < $1.moment }
    if changes.count > Self.mostChanges {
      lastKnownMoment = changes[Self.mostChanges].moment
      changes.removeLast(changes.count - Self.mostChanges)
    }
    for handle in statements.keys {
      statements[handle]?.sort { $0.moment < $1.moment }
      firstHeartRates[handle] = statements[handle]?.first { $0.meaning == .heartRate }?.moment
    }
  }

  /// What becomes of a stretch of notifications on a handle.
  func use(of stretch: HandleStretch, handle: UInt16) -> StretchUse {
    switch stretch.meaning {
    case .heartRate: return .heartRate(.discovered)
    case .serviceChanged, .other: return .other
    case nil: break
    }
    if stretch.isMixed { return unknown(stretch, handle) }
    let said = statements[handle] ?? []
    let next = said.partitioned { $0.moment > stretch.moment }
    if next > 0, !isChanged(handle, from: said[next - 1].moment, to: stretch.moment) {
      return use(of: stretch, knownAs: said[next - 1].meaning)
    }
    if let meaning = stretch.next {
      if meaning == .heartRate { return .heartRate(.discovered) }
    } else if next < said.count, said[next].meaning == .heartRate,
      !isChanged(handle, from: stretch.moment, to: said[next].moment)
    {
      return .heartRate(.inherited)
    }
    return stretch.isPlausible && stretch.isSubscribed ? .heartRate(.inferred) : unknown(stretch, handle)
  }

  /// The use of a stretch whose handle meant `meaning` to an earlier link; discovery on its own link may contradict.
  private func use(of stretch: HandleStretch, knownAs meaning: AttributeMeaning) -> StretchUse {
    if stretch.next == .heartRate { return .heartRate(.discovered) }
    guard meaning == .heartRate else { return .other }
    if stretch.next == nil || stretch.isPlausible { return .heartRate(.inherited) }
    return .leftOut(.handleChangedMeaning)
  }

  /// The use of a stretch of which nothing is known for certain: it matters where the handle is heart rate at another time, or
  /// the device has heart rate and every value could be one.
  private func unknown(_ stretch: HandleStretch, _ handle: UInt16) -> StretchUse {
    guard let first = firstHeartRates[handle] else {
      return isStrap && stretch.isPlausible ? .leftOut(.unidentifiedHandle) : .unidentified
    }
    return .leftOut(first < stretch.moment ? .handleChangedMeaning : .beforeDiscovery)
  }

  /// Whether a Service Changed indication between two moments is about the handle.
  private func isChanged(_ handle: UInt16, from start: Int, to end: Int) -> Bool {
    if end > lastKnownMoment { return true }
    if changes.isEmpty { return false }
    let first = changes.partitioned { $0.moment > start }
    return changes[first...].lazy.prefix { $0.moment < end }.contains { $0.handles.contains(handle) }
  }
}
