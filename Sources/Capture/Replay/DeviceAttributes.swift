import Statistics
import TachogramCore

/// The meanings of the handles of one device on all its connections, and the resulting use of its notifications.
///
/// The meaning of a handle is the last one that discovery named on the link before the notification, or, if this link has none,
/// the one of an earlier link of the device. A Service Changed indication ends the meaning of its handles, also on later links.
/// If nothing was named before, the next meaning applies to earlier notifications, from discovery on the same link or a later
/// one; but only for heart rate, because a handle that turns out to be something else was not heart rate before. A handle that
/// is never named is heart rate if all its values can be and its notifications were enabled. See
/// docs/adr/0002-two-pass-replay.md.
struct DeviceAttributes {
  private struct Statement {
    let moment: Int
    let meaning: AttributeMeaning
  }

  private var statements: [UInt16: [Statement]] = [:]
  /// The moment at which a handle was first named as heart rate.
  private var firstHeartRates: [UInt16: Int] = [:]
  private var changes: [ServiceChange] = []
  /// The moment from which on there are more changes than are stored.
  private var lastKnownMoment = Int.max
  /// The maximum number of stored Service Changed indications of all connections. Later notifications count as changed.
  private static let mostChanges = 4096

  /// Whether discovery named a Heart Rate Measurement on any handle.
  private let isStrap: Bool

  /// Creates the attributes of a device from its ends of connections. Only meanings of `handles` are stored.
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
    // The connections are in order, but the changes on simultaneous connections are not.
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

  /// Returns the use of a stretch of notifications on a handle.
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

  /// Returns the use of a stretch whose handle had `meaning` on an earlier link. Discovery on its own link may contradict it.
  private func use(of stretch: HandleStretch, knownAs meaning: AttributeMeaning) -> StretchUse {
    if stretch.next == .heartRate { return .heartRate(.discovered) }
    guard meaning == .heartRate else { return .other }
    if stretch.next == nil || stretch.isPlausible { return .heartRate(.inherited) }
    return .leftOut(.handleChangedMeaning)
  }

  /// Returns the use of a stretch without a certain meaning. It matters if the handle is heart rate at another time, or if the
  /// device has heart rate and every value could be one.
  private func unknown(_ stretch: HandleStretch, _ handle: UInt16) -> StretchUse {
    guard let first = firstHeartRates[handle] else {
      return isStrap && stretch.isPlausible ? .leftOut(.unidentifiedHandle) : .unidentified
    }
    return .leftOut(first < stretch.moment ? .handleChangedMeaning : .beforeDiscovery)
  }

  /// Whether a Service Changed indication between two moments concerns the handle.
  private func isChanged(_ handle: UInt16, from start: Int, to end: Int) -> Bool {
    if end > lastKnownMoment { return true }
    if changes.isEmpty { return false }
    let first = changes.partitioned { $0.moment > start }
    return changes[first...].lazy.prefix { $0.moment < end }.contains { $0.handles.contains(handle) }
  }
}
