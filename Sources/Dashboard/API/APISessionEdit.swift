import TachogramCore

extension API {
  /// The changes to a session. An absent key leaves its value unchanged; null removes a person, a label or a note.
  package struct SessionChange: Decodable, Hashable, Sendable {
    package var edit = SessionEdit()

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case person, label, note
    }

    package init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      if body.contains(.person) { edit.person = .some(try text(.person)) }
      if body.contains(.label) { edit.label = .some(try text(.label)) }
      if body.contains(.note) { edit.note = .some(try text(.note)) }
      func text(_ key: CodingKeys) throws -> String? {
        if try body.decodeNil(forKey: key) { return nil }
        let text = try body.decode(String.self, forKey: key)
        do {
          return key == .note ? try SessionNote(text).text : try ChosenName(text).text
        } catch {
          throw DashboardError.badRequest("\(key.rawValue): \(error)")
        }
      }
    }
  }

  /// A marker to be added to a session.
  struct NewMarker: Decodable, Sendable {
    let text: String
    /// The time, or `nil` for now.
    let time: WallTime?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case text, time
    }

    init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      do {
        text = try ChosenName(try body.decode(String.self, forKey: .text)).text
      } catch let error as ChosenNameError {
        throw DashboardError.badRequest("text: \(error)")
      }
      time = try body.decodeIfPresent(String.self, forKey: .time).map { try RequestText.time($0, "time") }
    }
  }

  /// The instant at which a session is split.
  struct Split: Decodable, Sendable {
    let time: WallTime

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case time
    }

    init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      time = try RequestText.time(try body.decode(String.self, forKey: .time), "time")
    }
  }

  /// The session that another one is merged with.
  struct Merge: Decodable, Sendable {
    let session: String

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case session
    }

    init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      session = try body.decode(String.self, forKey: .session)
      guard RequestText.isIdentifier(session) else {
        throw DashboardError.badRequest("session is an identifier of 36 characters.")
      }
    }
  }

  /// A named instant of a session.
  package struct Marker: Encodable, Hashable, Sendable {
    package let id: String
    package let time: String
    package let text: String

    package init(id: String, time: String, text: String) {
      self.id = id
      self.time = time
      self.text = text
    }

    package init(_ marker: SessionMarker, of session: SessionDescription) {
      id = marker.id
      time = Timestamp.text(session.wall(marker.time))
      text = marker.text
    }
  }

  struct Markers: Encodable, Sendable {
    let markers: [Marker]
  }
}
