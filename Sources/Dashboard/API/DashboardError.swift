/// An error in a request that prevents its answer.
package struct DashboardError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case badRequest, notFound, conflict, busy
  }

  package let kind: Kind
  /// A description of the error and its remedy.
  package let message: String

  package var description: String { message }

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  static func badRequest(_ message: String) -> DashboardError { DashboardError(.badRequest, message) }
  package static func notFound(_ message: String) -> DashboardError { DashboardError(.notFound, message) }
}
