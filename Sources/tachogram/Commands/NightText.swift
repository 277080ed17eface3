import CommandProcess
import Recording

/// Words the failures of nights.
enum NightText {
  /// Executes `body`, and words the reason why a night does not begin or end.
  static func wording<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as NightKeeper.Failure {
      throw CommandFailure("\(failure)")
    }
  }
}
