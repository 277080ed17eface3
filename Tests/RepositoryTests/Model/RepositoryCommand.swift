import TachogramCore
import TachogramTestKit

/// What people and programs do to a database, in small numbers: sessions 0…3, straps 0…2, hours 0…5 of one day.
enum RepositoryCommand: Hashable, Sendable {
  /// Which sessions are to be deleted.
  enum Choice: Hashable, Sendable {
    case everything
    case person(String)
    case session(Int)
    case strap(Int)
    case hours(Int, Int)
    case personInHours(String, Int, Int)
    case allBut(Int)
  }

  case begin(session: Int, person: String?, hour: Int)
  case append(session: Int, count: Int)
  case describe(session: Int, battery: UInt8)
  case finish(session: Int)
  case delete(Choice)
  case expire(hour: Int)
  case expireWindows(hour: Int)
  case refresh
  case remember(strap: Int, name: String, person: String?)
  case rename(strap: Int, name: String)
  case assign(strap: Int, person: String?, label: String?)
  case forget(strap: Int)
  case save(measurement: Int, person: String?)
  case bury(measurement: Int, person: String?)
  case buryAll(person: String?)
  case reopen
  case crash
  /// A command of one transaction, whose operation of that number (from 1) on the disk fails, and `times` in all.
  indirect case faulty(RepositoryCommand, FaultyDisk.Fault, operation: Int64, times: Int64)

  static let persons: [String?] = [nil, "Anna", "Ben"]
  private static let names = ["blue", "BLUE", "red", "blue 2"]

  static func random(_ random: inout SplitMix64) -> RepositoryCommand {
    guard Int.random(in: 0..<6, using: &random) == 0 else { return sound(&random) }
    let fault = FaultyDisk.Fault.allCases[Int.random(in: 0..<FaultyDisk.Fault.allCases.count, using: &random)]
    // Who waits for a lock that is never let go waits long.
    let lasts = fault != .busy && Bool.random(using: &random)
    let operation = Int64.random(in: 1...40, using: &random)
    let command = sound(&random)
    return switch command {
    // Of several transactions, or none.
    case .refresh, .reopen, .crash: command
    default: .faulty(command, fault, operation: operation, times: lasts ? .max : 1)
    }
  }

  private static func sound(_ random: inout SplitMix64) -> RepositoryCommand {
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    let person = persons[number(3)]
    let name = names[number(names.count)]
    switch number(24) {
    case 0..<4: return .begin(session: number(4), person: person, hour: number(6))
    case 4..<9: return .append(session: number(4), count: 1 + number(4))
    case 9: return .describe(session: number(4), battery: UInt8(number(3)))
    case 10: return .finish(session: number(4))
    case 11, 12: return .delete(choice(number(7), person ?? "Clara", (number(4), number(6), number(6))))
    case 13: return .expire(hour: number(6))
    case 14: return .expireWindows(hour: number(6))
    case 15, 16: return .refresh
    case 17: return .remember(strap: number(3), name: name, person: person)
    case 18: return .rename(strap: number(3), name: name)
    case 19: return .assign(strap: number(3), person: person, label: number(2) == 0 ? nil : "night")
    case 20: return number(3) == 0 ? .forget(strap: number(3)) : .save(measurement: number(3), person: person)
    case 21: return .bury(measurement: number(40), person: person)
    case 22: return number(3) == 0 ? .buryAll(person: person) : .reopen
    default: return .crash
    }
  }

  private static func choice(_ kind: Int, _ person: String, _ numbers: (Int, Int, Int)) -> Choice {
    let hours = (min(numbers.1, numbers.2), max(numbers.1, numbers.2))
    return switch kind {
    case 0: .everything
    case 1: .person(person)
    case 2: .session(numbers.0)
    case 3: .strap(numbers.0 % 3)
    case 4: .hours(hours.0, hours.1)
    case 5: .personInHours(person, hours.0, hours.1)
    default: .allBut(numbers.0)
    }
  }

  /// Commands that may stand in the place of this one where a failure is made small.
  var simpler: [RepositoryCommand] {
    switch self {
    case .begin(let session, let person, let hour):
      (person == nil ? [] : [.begin(session: session, person: nil, hour: hour)])
        + (hour == 0 ? [] : [.begin(session: session, person: person, hour: 0)])
    case .append(let session, let count): count == 1 ? [] : [.append(session: session, count: 1)]
    case .crash: [.reopen]
    case .faulty(let command, let fault, let operation, let times):
      [command] + command.simpler.map { .faulty($0, fault, operation: operation, times: times) }
    default: []
    }
  }
}
