/// What contains the receiver of a space, or is one. The receiver is changed in place: a copy of large logs would cost more than what
/// they receive.
package protocol SpaceReceiving: Sendable {
  var receiver: SpaceReceiver { get set }
}
