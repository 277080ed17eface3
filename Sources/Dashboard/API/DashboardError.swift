/// A question that cannot be answered as it was put.
package struct DashboardError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case badRequest, notFound, conflict, busy
  }

  package let kind: Kind
  /// What was wrong and what to do.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  static func badRequest(_ message: String) -> DashboardError { DashboardError(.badRequest, message) }
  package static func notFound(_ message: String) -> DashboardError { DashboardError(.notFound, message) }
}
