/// A violated invariant.
package struct FuzzFinding: Error, CustomStringConvertible {
  package let description: String

  /// Throws `words` as a finding unless `condition` holds.
  package static func unless(_ condition: Bool, _ words: @autoclosure () -> String) throws {
    if !condition { throw FuzzFinding(description: words()) }
  }
}
