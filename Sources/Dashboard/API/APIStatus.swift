import TachogramCore

extension API {
  /// A problem that needs a person's attention.
  package struct Alert: Encodable, Hashable, Sendable {
    package var kind: String
    package var text: String
    package var since: String

    package init(kind: String, text: String, since: WallTime) {
      self.kind = kind
      self.text = text
      self.since = Timestamp.text(since)
    }
  }

  /// The status of the station.
  package struct Status: Encodable, Hashable, Sendable {
    package struct Database: Encodable, Hashable, Sendable {
      package var bytes: Int64
      package var freeBytes: Int64?
      package var isDiskLow: Bool
      package var lastSnapshot: String?

      package init(bytes: Int64, freeBytes: Int64?, isDiskLow: Bool, lastSnapshot: WallTime?) {
        self.bytes = bytes
        self.freeBytes = freeBytes
        self.isDiskLow = isDiskLow
        self.lastSnapshot = lastSnapshot.map(Timestamp.text)
      }
    }

    package var time: String
    package var version: String
    package var started: String
    /// `radio` or `capture`.
    package var source: String
    /// Whether the recorder runs. The links of the readings tell whether a strap is connected.
    package var isRecording: Bool
    package var problem: String?
    /// Whether nothing can be stored now.
    package var isStorageFailing: Bool
    package var database: Database
    package var retention: [String]
    package var alerts: [Alert]

    package init(
      time: WallTime, version: String, started: WallTime, source: String, isRecording: Bool, problem: String?,
      isStorageFailing: Bool = false, database: Database, retention: [String], alerts: [Alert],
    ) {
      self.time = Timestamp.text(time)
      self.version = version
      self.started = Timestamp.text(started)
      self.source = source
      self.isRecording = isRecording
      self.problem = problem
      self.isStorageFailing = isStorageFailing
      self.database = database
      self.retention = retention
      self.alerts = alerts
    }
  }

  /// A strap that was paired.
  package struct Strap: Encodable, Sendable {
    package var address: String
    package var name: String
    package var advertisedName: String?
    package var isBonded: Bool
    package var added: String
    package var person: String?
    package var label: String?

    package init(_ strap: KnownStrap) {
      address = strap.address.description
      name = strap.name
      advertisedName = strap.advertisedName
      isBonded = strap.isBonded
      added = Timestamp.text(strap.added)
      person = strap.person
      label = strap.label
    }
  }

  package struct Straps: Encodable, Sendable {
    package var straps: [Strap]

    package init(straps: [Strap]) {
      self.straps = straps
    }
  }

  /// The formats that sessions are exported in.
  package struct Formats: Encodable, Sendable {
    package struct Format: Encodable, Sendable {
      /// The name in a request, such as `csv`.
      let name: String
      /// The name of the format for display; `words` describes its contents.
      let title: String
      let words: String
    }

    package let formats: [Format]

    init(_ formats: [ExportFormat]) {
      self.formats = formats.map { Format(name: $0.name, title: $0.title, words: $0.words) }
    }
  }

  package struct Persons: Encodable, Sendable {
    package var persons: [String]

    package init(persons: [String]) {
      self.persons = persons
    }
  }
}
