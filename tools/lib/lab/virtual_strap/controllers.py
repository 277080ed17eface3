"""Virtual controllers: bumble's, where Linux needs it nearer to a real one."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

from bumble import controller as bumble_controller
from bumble import core, hci, ll
from bumble.host import Host

from virtual_strap.radio import Connection, Radio

# Bumble's controller claims these and then answers with the plain LE Connection Complete all the same: Linux waits for
# the enhanced event, cancels after 4 s and can never end that link. Without them both sides use the legacy commands.
NOT_SUPPORTED = (
    hci.LeFeatureMask.LL_PRIVACY | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING
)
ACL_LENGTH = 251
RSSI = -58
# The side that ends a link hears of the end when the other has acknowledged it: a connection interval or two.
TERMINATION_TIME = 0.03


@dataclass
class Advertisement(ll.AdvInd):
    """ADV_IND with its scan response."""

    scan_response: bytes = b""


class Advertiser(bumble_controller.LegacyAdvertiser):
    """Advertises at the requested interval (units of 0.625 ms) with a scan response."""

    def _on_timer_fired(self) -> None:
        self.controller.send_advertising_pdu(
            Advertisement(self.address, self.advertising_data, scan_response=self.scan_response_data)
        )
        interval = max(0.02, self.advertising_interval_min * 0.625e-3)
        self.timer_handle = asyncio.get_running_loop().call_later(interval, self._on_timer_fired)


class VirtualController(bumble_controller.Controller):
    """The common part of both ends of the virtual radio."""

    link: Radio

    def __init__(self, name: str, radio: Radio, public_address: str, **arguments: object) -> None:
        super().__init__(name, link=radio, public_address=public_address, **arguments)  # type: ignore[arg-type]
        self.le_features = self.le_features & ~NOT_SUPPORTED
        self.le_acl_data_packet_length = self.acl_data_packet_length = ACL_LENGTH
        self.le_legacy_advertiser = Advertiser(self)

    def on_hci_disconnect_command(self, command: hci.HCI_Disconnect_Command) -> None:
        """Reports 0x16 to the side that ends a link; bumble reports the reason given to the other side."""
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            self._send_hci_command_status(hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
            return
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection.send_ll_control_pdu(ll.TerminateInd(command.reason))
        asyncio.get_running_loop().call_later(
            TERMINATION_TIME, self.on_le_disconnected, connection,
            hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR)

    def on_le_disconnected(self, connection: Connection, reason: int) -> None:
        """Handles links that both sides end at the same moment."""
        if self.le_connections.get(connection.peer_address) is connection:
            super().on_le_disconnected(connection, reason)

    def on_hci_le_create_connection_cancel_command(
        self, command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        """Cancels connecting; bumble continues, and never sends the event that the host waits for."""
        pending = self.pending_le_connection
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            ),
        )
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_reset_command(self, command: hci.HCI_Reset_Command) -> hci.HCI_StatusReturnParameters:
        self.fall_silent()
        return super().on_hci_reset_command(command)

    def fall_silent(self) -> None:
        """Simulates a reset or an unplugged dongle: no event to its host, the other sides lose their links."""
        sink, self.host = self.host, None
        self.link.lose_links(self)
        self.host = sink
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.le_legacy_advertiser.stop()


class KernelController(VirtualController):
    """The controller that Linux has as an adapter."""

    def on_advertising_pdu(self, pdu: ll.AdvInd | ll.AdvExtInd) -> None:
        if self.le_scan_enable:
            kinds = hci.HCI_LE_Advertising_Report_Event.EventType
            self._report(kinds.ADV_IND, pdu.advertiser_address, pdu.data)
            if self.le_scan_type == hci.HCI_LE_Set_Scan_Parameters_Command.ACTIVE_SCANNING:
                self._report(kinds.SCAN_RSP, pdu.advertiser_address, getattr(pdu, "scan_response", b""))
        pending = self.pending_le_connection
        if pending is not None and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def _report(self, kind: int, address: hci.Address, data: bytes) -> None:
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind, address_type=address.address_type, address=address, data=data, rssi=RSSI
        )
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))

    def on_link_acl_data(self, sender_address: hci.Address, transport: core.PhysicalTransport, data: bytes) -> None:
        """Sends data as bytes, for every notification."""
        connection = self.le_connections.get(sender_address)
        if connection is not None and self.host:
            header = struct.pack("<BHH", hci.HCI_ACL_DATA_PACKET, connection.handle | 0x2000, len(data))
            asyncio.get_running_loop().call_soon(self.host.on_packet, header + data)

    def on_hci_acl_data_packet(self, packet: hci.HCI_AclDataPacket) -> None:
        """Keeps an unacknowledged packet in the controller's buffer, without completing it."""
        connection = self.find_le_connection_by_handle(packet.connection_handle)
        if connection is None:
            return
        if self.link.reaches(self, connection):
            connection.on_hci_acl_data_packet(packet)


class StrapHost(Host):
    """A strap's host on a virtual controller: data goes to the radio without HCI packets in between."""

    def __init__(self, controller: VirtualController) -> None:
        super().__init__()
        self.controller = controller
        self._strap_controller = controller

    def send_acl_sdu(self, connection_handle: int, sdu: bytes) -> None:
        connection = self._strap_controller.find_le_connection_by_handle(connection_handle)
        if connection is not None:
            self._strap_controller.link.send_acl_data(
                self._strap_controller, connection.peer_address, core.PhysicalTransport.LE, sdu
            )
