/// The assessment of the parameters with which this host begins connections.
package enum ConnectionDefaultsVerdict: Hashable, Sendable {
  /// Straps get the parameters that they ask for.
  case accepting
  /// The longest interval allowed is shorter than straps ask for. Linux refuses such a request if it is made in the link layer
  /// (`hci_le_remote_conn_param_req_evt` in 6.1), and in some releases also if it is made over L2CAP. A Polar strap that is
  /// refused drops the link after 30 to 150 s.
  case refusing(longest: Int, wanted: Int)
  /// The values are inconsistent, such as intervals longer than the timeout. Connections fail.
  case inconsistent
}
