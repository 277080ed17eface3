"""The air between the virtual controllers: bumble's LocalLink, with range, and as strict as a real one."""

from __future__ import annotations

import asyncio

from bumble import controller as bumble_controller
from bumble import core, hci, ll, lmp
from bumble.link import LocalLink

Controller = bumble_controller.Controller
Connection = bumble_controller.Connection

# What a central asks for is in units of 10 ms; this holds for a link whose making was not seen.
DEFAULT_SUPERVISION_TIMEOUT = 0.42


class Radio(LocalLink):
    """Differs from LocalLink in this:

    - data is labelled with the address that the connection uses; LocalLink always takes the random one, and a central
      that connected by its public address is then not found;
    - a controller can leave range: nothing passes, and links end by supervision timeout on both sides;
    - who asks for a connection that the advertiser does not take gets "failed to be established" (0x3e);
    - frames for a link that has ended are dropped silently, as on the air.
    """

    def __init__(self) -> None:
        super().__init__()
        self._out_of_range: set[Controller] = set()
        self._timeouts: dict[frozenset[hci.Address], float] = {}
        self._losses: dict[Controller, asyncio.Handle] = {}

    # Range

    def in_range(self, controller: Controller) -> bool:
        return controller not in self._out_of_range

    def reaches(self, controller: Controller, connection: Connection) -> bool:
        """Returns whether the other end of a connection receives this one."""
        return self._reachable_partner(controller, connection) is not None

    def supervision_timeout(self, controller: Controller) -> float:
        """Returns the seconds of silence after which the controller's links are lost."""
        return max((self._timeout(link) for link in controller.le_connections.values()), default=0.0)

    def leave(self, controller: Controller, after: float) -> None:
        """Stops all packets; the links are lost on both sides after `after` seconds."""
        self._out_of_range.add(controller)
        loop = asyncio.get_running_loop()
        # Through the loop at least: what was sent before still arrives before the loss.
        lose = (self.lose_links, controller)
        self._losses[controller] = loop.call_later(after, *lose) if after > 0 else loop.call_soon(*lose)

    def come_back(self, controller: Controller) -> None:
        """Resumes packets; links that were not lost continue."""
        self._out_of_range.discard(controller)
        if (loss := self._losses.pop(controller, None)) is not None:
            loss.cancel()

    def lose_links(self, controller: Controller) -> None:
        """Reports the supervision timeout to both sides of every link."""
        for connection in list(controller.le_connections.values()):
            reason = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
            if (other := self._partner(controller, connection)) is not None:
                other.on_le_disconnected(other.le_connections[connection.self_address], reason)
            controller.on_le_disconnected(connection, reason)

    # LocalLink

    def send_acl_data(
        self,
        sender_controller: Controller,
        destination_address: hci.Address,
        transport: core.PhysicalTransport,
        data: bytes,
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        receiver = connection and self._reachable_partner(sender_controller, connection)
        if connection is not None and receiver:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)

    def send_advertising_pdu(self, sender_controller: Controller, packet: ll.AdvertisingPdu) -> None:
        if not self.in_range(sender_controller):
            return
        loop = asyncio.get_running_loop()
        if isinstance(packet, ll.ConnectInd):
            loop.call_soon(self._connect, sender_controller, packet)
            return
        for controller in self.controllers:
            if controller is not sender_controller and self.in_range(controller):
                loop.call_soon(controller.on_ll_advertising_pdu, packet)

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: ll.ControlPdu
    ) -> None:
        for sender in self.controllers:
            connection = sender.le_connections.get(receiver_address)
            if connection is None or connection.self_address != sender_address:
                continue
            if (receiver := self._reachable_partner(sender, connection)) is None:
                return
            if isinstance(packet, ll.ConnectionUpdateInd):
                self._timeouts[frozenset((sender_address, receiver_address))] = packet.timeout / 100
            asyncio.get_running_loop().call_soon(_deliver_control, receiver, sender_address, packet)
            return

    def send_lmp_packet(self, sender_controller: Controller, receiver_address: hci.Address, packet: lmp.Packet) -> None:
        """Discards the packet, because there is no BR/EDR."""

    # Links

    def _connect(self, central: Controller, request: ll.ConnectInd) -> None:
        for controller in self.controllers:
            advertiser = controller.le_legacy_advertiser
            if advertiser.enabled and advertiser.address == request.advertiser_address and self.in_range(controller):
                pair = frozenset((request.initiator_address, request.advertiser_address))
                self._timeouts[pair] = request.timeout / 100
                controller.on_le_connect_ind(request)
                return
        if (connection := central.le_connections.get(request.advertiser_address)) is not None:
            central.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR)

    def _partner(self, controller: Controller, connection: Connection) -> Controller | None:
        for other in self.controllers:
            link = other.le_connections.get(connection.self_address)
            if link is not None and link.self_address == connection.peer_address and other is not controller:
                return other
        return None

    def _reachable_partner(self, controller: Controller, connection: Connection) -> Controller | None:
        other = self._partner(controller, connection)
        return other if other and self.in_range(controller) and self.in_range(other) else None

    def _timeout(self, connection: Connection) -> float:
        pair = frozenset((connection.self_address, connection.peer_address))
        return self._timeouts.get(pair, DEFAULT_SUPERVISION_TIMEOUT)


def _deliver_control(receiver: Controller, sender_address: hci.Address, packet: ll.ControlPdu) -> None:
    if sender_address in receiver.le_connections:
        receiver.on_ll_control_pdu(sender_address, packet)
