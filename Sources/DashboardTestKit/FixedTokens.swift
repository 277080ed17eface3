import Access
import Dashboard
import Synchronization
import TachogramCore

/// Tokens in memory: one that is given, and those that are added. The only login code is `code`, once.
package final class FixedTokens: TokenBookProtocol {
  package static let code = "right-code"

  private struct State {
    var tokens: [String: TokenRecord]
    var isCodeUsed = false
    var count = 0
  }

  private let state: Mutex<State>

  package init(_ token: String, scope: TokenScope = .full) {
    let record = TokenRecord(id: TokenRecord.stationID, name: "Station", scope: scope, created: nil, lastUse: nil)
    state = Mutex(State(tokens: [token: record]))
  }

  package func token(_ secret: String) -> TokenRecord? { state.withLock { $0.tokens[secret] } }

  package func isValid(_ token: TokenRecord, _ secret: String) -> Bool { self.token(secret)?.id == token.id }

  package func redeem(_ code: String, name: ChosenName) throws -> IssuedToken? {
    let isRight = state.withLock { state in
      guard code == Self.code, !state.isCodeUsed else { return false }
      state.isCodeUsed = true
      return true
    }
    return isRight ? try add(name, .full) : nil
  }

  package func tokens() -> [TokenRecord] {
    state.withLock { $0.tokens.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }
  }

  package func add(_ name: ChosenName, _ scope: TokenScope) throws -> IssuedToken {
    try state.withLock { state in
      guard !state.tokens.values.contains(where: { $0.name == name.text }) else {
        throw AccessFailure.nameTaken(name.text)
      }
      state.count += 1
      let record = TokenRecord(
        id: "000000000000000\(state.count)", name: name.text, scope: scope, created: WallTime(microseconds: 0),
        lastUse: nil)
      let secret = "secret-\(state.count)"
      state.tokens[secret] = record
      return IssuedToken(secret: secret, record: record)
    }
  }

  package func revoke(_ id: String) -> Bool {
    state.withLock { state in
      guard let secret = state.tokens.first(where: { $0.value.id == id })?.key else { return false }
      state.tokens[secret] = nil
      return true
    }
  }
}

extension AccessControl {
  /// Access with one token of full scope, or without a token.
  package init(token: String?, names: [String] = [], isSecure: Bool = false) {
    self.init(tokens: token.map { FixedTokens($0) }, names: names, isSecure: isSecure)
  }
}
