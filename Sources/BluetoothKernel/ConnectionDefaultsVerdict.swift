/// What is to be said of the parameters with which this host begins connections.
package enum ConnectionDefaultsVerdict: Hashable, Sendable {
  /// Straps get the parameters that they ask for.
  case accepting
  /// The longest interval allowed is shorter than straps ask for. Linux refuses such a wish when it comes as a
  /// link-layer request (`hci_le_remote_conn_param_req_evt` in 6.1), some releases also when it comes over L2CAP. A
  /// Polar strap that is refused drops the link after 30 to 150 s.
  case refusing(longest: Int, wanted: Int)
  /// The values do not fit together, such as intervals longer than the timeout: connections fail.
  case inconsistent
}
