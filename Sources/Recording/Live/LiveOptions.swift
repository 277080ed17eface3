import StressKit
import TachogramCore

/// How what is heard becomes sessions.
package struct LiveOptions: Sendable {
  /// Whose a session is, and what it is called.
  package struct Wearer: Hashable, Sendable {
    package var person: String?
    package var label: String?

    package init(person: String? = nil, label: String? = nil) {
      self.person = person
      self.label = label
    }
  }

  /// Asked when a session of a strap begins.
  package var wearer: @Sendable (BluetoothAddress) -> Wearer
  package var kind = HRVKind.sdnn
  /// The identifier of this installation; `nil` where it has none.
  package var deviceID: String?
  /// The time within which what is heard is on the disk.
  package var commitInterval: Duration = .seconds(1)
  /// The least time between two commits that store what derives from the entries: a commit writes whole pages,
  /// however little is new on them.
  package var derivationInterval: Duration = .seconds(60)
  /// When to stop by itself after the first notification; `nil` for never.
  package var duration: Duration?
  /// Whether sessions are stored; else the database only gives baselines.
  package var isStored = true
  /// A session of a strap of which nothing was heard for so long has ended; `nil` for never.
  package var endAfter: Duration?
  /// Whether a session that was cut off a short while before the recording began goes on; only where nobody recorded then.
  package var resumes = false

  /// Time between two commits: writing takes its part of the interval, the more so on an SD card.
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
