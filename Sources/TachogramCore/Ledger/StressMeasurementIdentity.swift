import FoundationEssentials
import StressKit

extension StressMeasurement {
  /// Returns the identifier of a level that derives from a session: a hash of the session and the time, in microseconds since
  /// 1970. Deriving the level again results in the same identifier.
  package static func derivedID(session: String, microseconds: Int64) -> UUID {
    var hash = ContentHash()
    hash.add(session.utf8)
    hash.add(microseconds)
    let value = hash.uuidValue.bigEndian
    return withUnsafeBytes(of: value) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
