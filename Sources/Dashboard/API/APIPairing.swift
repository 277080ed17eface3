import TachogramCore

extension API {
  /// The pairing of a strap from the page.
  package struct Pairing: Encodable, Sendable {
    package enum Phase: String, Encodable, Sendable {
      /// No strap is being paired.
      case closed
      /// Straps in range are listed until one is chosen.
      case searching
      /// The chosen strap is connected, bonded if it asks for it, and received.
      case connecting
      /// The strap is paired.
      case paired
      /// The strap was not paired; `problem` has the reason.
      case failed
    }

    /// A strap in range.
    package struct Candidate: Encodable, Hashable, Sendable {
      package let address: String
      /// The name that it advertises.
      package let name: String?
      /// In dBm; absent for a connected strap.
      package let signal: Int?
      /// The name under which it is paired; absent for a new strap.
      package let knownAs: String?
      /// The heart rate that it broadcasts, in bpm.
      package let heartRate: Int?

      package init(address: String, name: String?, signal: Int?, knownAs: String?, heartRate: Int?) {
        self.address = address
        self.name = name
        self.signal = signal
        self.knownAs = knownAs
        self.heartRate = heartRate
      }
    }

    /// A question of the strap to the person.
    package struct Question: Encodable, Hashable, Sendable {
      package enum Kind: String, Encodable, Sendable {
        /// The passkey that the strap shows, or that its manual names.
        case passkey
        /// Whether the strap shows `number`.
        case comparison
        /// `number` has to be entered on the strap. It needs no answer.
        case display
      }

      package let kind: Kind
      /// Six digits.
      package let number: String?

      package init(_ kind: Kind, number: String? = nil) {
        self.kind = kind
        self.number = number
      }
    }

    /// A notification that was received from the strap.
    package struct Reading: Encodable, Hashable, Sendable {
      package let heartRate: Int
      /// In ms.
      package let intervals: [Double]

      package init(heartRate: Int, intervals: [Double]) {
        self.heartRate = heartRate
        self.intervals = intervals
      }
    }

    package var phase: Phase
    /// The seconds until the phase ends by itself.
    package var secondsLeft: Int?
    package var straps: [Candidate]?
    /// The state of the link in words.
    package var link: String?
    package var question: Question?
    package var readings: [Reading]?
    package var strap: API.Strap?
    package var problem: String?

    package init(_ phase: Phase) {
      self.phase = phase
    }
  }

  /// The strap to be paired.
  struct PairingChoice: Decodable, Sendable {
    let address: String

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case address
    }

    init(from decoder: any Decoder) throws {
      address = try decoder.strictContainer(keyedBy: CodingKeys.self).decode(String.self, forKey: .address)
    }
  }

  /// The answer to a question of the strap.
  package enum PairingAnswer: Decodable, Hashable, Sendable {
    case passkey(UInt32)
    /// Whether the strap shows the number.
    case matches(Bool)

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case passkey, matches
    }

    package init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      guard body.contains(.passkey) != body.contains(.matches) else {
        throw DashboardError.badRequest("give either passkey or matches.")
      }
      if body.contains(.matches) {
        self = .matches(try body.decode(Bool.self, forKey: .matches))
        return
      }
      let text = try body.decode(String.self, forKey: .passkey)
      guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = UInt32(text)
      else { throw DashboardError.badRequest("passkey has up to six digits.") }
      self = .passkey(number)
    }
  }
}
