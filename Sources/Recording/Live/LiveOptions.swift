import StressKit
import TachogramCore

/// The options for recording received notifications as sessions.
package struct LiveOptions: Sendable {
  /// The person and the label of a session.
  package struct Wearer: Hashable, Sendable {
    package var person: String?
    package var label: String?

    package init(person: String? = nil, label: String? = nil) {
      self.person = person
      self.label = label
    }
  }

  /// Called when a session of a strap begins.
  package var wearer: @Sendable (BluetoothAddress) -> Wearer
  package var kind = HRVKind.sdnn
  /// The identifier of this installation, or `nil` if it has none.
  package var deviceID: String?
  /// The time within which received notifications are written to the disk.
  package var commitInterval: Duration = .seconds(1)
  /// The least time between two commits that store derived rows. A commit writes whole pages, however few rows are new.
  package var derivationInterval: Duration = .seconds(60)
  /// The time after the first notification at which the recording stops, or `nil` for no limit.
  package var duration: Duration?
  /// Whether sessions are stored. Otherwise the database is only used for baselines.
  package var isStored = true
  /// The time without notifications after which the session of a strap ends, or `nil` for no limit.
  package var endAfter: Duration?
  /// Whether to continue a session that was interrupted shortly before the recording began. This requires that no other
  /// recorder was running then.
  package var resumes = false

  /// The time between two commits: writing takes a part of the interval, which is longer on an SD card.
  var pauseBetweenCommits: Duration { commitInterval - min(commitInterval / 10, .milliseconds(100)) }

  package init(
    person: String? = nil, label: String? = nil, kind: HRVKind = .sdnn, commitInterval: Duration = .seconds(1),
    duration: Duration? = nil, isStored: Bool = true, endAfter: Duration? = nil, resumes: Bool = false,
  ) {
    let wearer = Wearer(person: person, label: label)
    self.wearer = { _ in wearer }
    self.kind = kind
    self.commitInterval = commitInterval
    self.duration = duration
    self.isStored = isStored
    self.endAfter = endAfter
    self.resumes = resumes
  }
}
