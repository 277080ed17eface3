import TachogramCore

/// The words of a finding for people, and what to do.
package struct LogFindingText: Hashable, Sendable {
  /// What was found, such as “14 chunks of kitchen are missing since 2026-03-29”. Dates are in UTC.
  package let text: String
  /// What to do.
  package let advice: String

  /// Creates the words of a finding. `name` returns the name of a station, or `nil` for one without a name.
  package init(_ finding: LogFinding, name: (StationID) -> String?) {
    func named(_ station: StationID) -> String { name(station) ?? "station \(station.words)" }
    let station = named(finding.station)
    let count = finding.sequences.count
    let (chunks, are) = count == 1 ? ("1 chunk", "is") : ("\(count) chunks", "are")
    let have = count == 1 ? "has" : "have"
    let since = finding.since.map { " since \(Self.day($0))" } ?? ""
    let witness = finding.witness.map { " that \(named($0)) has seen" } ?? ""
    let place = finding.sequences.ranges.first.map { String($0.lowerBound) } ?? "?"
    text =
      switch finding.kind {
      case .missing: "\(chunks) of \(station) \(are) missing\(since)"
      case .withheld: "\(chunks) of \(station)\(witness) \(are) missing\(since)"
      case .rolledBack: "\(chunks) of \(station) that this station has seen \(are) no longer in the store\(since)"
      case .forked: "the log of \(station) has two histories from chunk \(place)\(since)"
      case .absentBody: "the content of \(chunks) of \(station) is missing\(since)"
      case .swappedBody: "\(chunks) of \(station) \(have) the content of others\(since)"
      case .wrongSignature: "\(chunks) of \(station) \(are) not signed by it\(since)"
      case .unknownStation: "\(chunks) \(are) of \(station), which is not a member"
      case .removedStation: "\(chunks) \(are) of \(station), which was removed"
      case .otherSpace: "\(chunks) in the log of \(station) \(are) of another space\(since)"
      case .misplaced: "\(chunks) in the log of \(station) \(are) not at the right place\(since)"
      case .damaged: "\(chunks) of \(station) \(are) damaged\(since)"
      case .unknownEpoch: "\(chunks) of \(station) \(are) sealed to a key that is not known here\(since)"
      case .unreadable: "\(chunks) of \(station) cannot be read\(since)"
      case .withheldMembers: "member records\(witness) are missing"
      }
    advice =
      switch finding.kind {
      case .missing, .withheld, .rolledBack, .absentBody, .swappedBody, .damaged:
        "Run `tachogram sync repair` on \(station). If the store was restored from a backup and \(station) no longer has "
          + "them, run `tachogram sync accept-restored` here."
      case .forked:
        "If \(station) was restored from a backup, run `tachogram sync accept-restored` here. If its card was copied, start "
          + "the copy: it becomes a new member by itself. Otherwise the store shows different data to different stations."
      case .wrongSignature, .otherSpace, .misplaced:
        "Nothing of this was used. Do not trust the store; run `tachogram sync repair` on \(station)."
      case .unknownStation:
        "Nothing of this was used. If you removed it, it still writes; otherwise the store withholds a member record."
      case .removedStation:
        "Nothing of this was used. Stop \(station), or invite it again under a new key. After that, "
          + "`tachogram sync accept-restored` here ends this message."
      case .unknownEpoch, .withheldMembers:
        "The store withholds a member record, or it has not arrived yet. Run `tachogram sync repair` on a station that has it."
      case .unreadable: "Nothing of this was used. Update this station, or run `tachogram sync repair` on \(station)."
      }
  }

  /// Creates the words for a chunk that was refused.
  package init(refused place: String, of station: StationID, _ reason: String, name: (StationID) -> String?) {
    let named = name(station) ?? "station \(station.words)"
    let first = place.prefix { $0 != "-" }
    text = "chunk \(first) of \(named) was refused: \(reason)"
    advice =
      "What it contains is not here, but \(named) has it. After that is settled, `tachogram sync accept-restored` here ends "
      + "this message."
  }

  private static func day(_ time: WallTime) -> String { String(Timestamp.text(time).prefix(10)) }
}
