"""Elastic IP addresses and volumes of instances, where moto 5.2.5 does less than AWS."""

import copy

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models import elastic_block_store, elastic_ip_addresses, elastic_network_interfaces
from moto.ec2.models.instances import Instance

Addresses = elastic_ip_addresses.ElasticAddressBackend
Interface = elastic_network_interfaces.NetworkInterface
Volumes = elastic_block_store.EBSBackend


class ZoneMismatch(EC2ClientError):
    def __init__(self, volume, instance):
        super().__init__(
            "InvalidVolume.ZoneMismatch",
            f"The volume '{volume.id}' is not in the same availability zone as instance "
            f"'{instance.id}'",
        )


class AttachedAlready(EC2ClientError):
    def __init__(self, volume):
        super().__init__("VolumeInUse", f"{volume.id} is already attached to an instance")


class DeviceInUse(EC2ClientError):
    def __init__(self, device):
        super().__init__(
            "InvalidParameterValue",
            f"Invalid value '{device}' for unixDevice. Attachment point {device} is already in use",
        )


attach_volume = Volumes.attach_volume


def attach_where_it_fits(self, volume_id, instance_id, device_path, delete_on_termination=False):
    volume, instance = self.get_volume(volume_id), self.get_instance(instance_id)
    if volume.zone.name != instance._placement.zone:
        raise ZoneMismatch(volume, instance)
    if volume.attachment:
        raise AttachedAlready(volume)
    if device_path in instance.block_device_mapping:
        raise DeviceInUse(device_path)
    return attach_volume(self, volume_id, instance_id, device_path, delete_on_termination)


Volumes.attach_volume = attach_where_it_fits


def install(give_back):
    """`give_back` takes a public address that an instance has no longer."""
    associate = Addresses.associate_address
    start_interface = Interface.start
    stop_interface = Interface.stop
    terminate = Instance.terminate

    def elastic_address_of(interface):
        addresses = interface.ec2_backend.addresses
        return next((address for address in addresses if address.eni is interface), None)

    def free_former(interface):
        """While it runs, a machine still listens where it was before it got an elastic address."""
        for address in interface.__dict__.pop("former", []):
            give_back(address)

    def associate_once(self, instance=None, eni=None, **named):
        """An interface has one address, which no other has: an elastic one takes its place."""
        interface = eni or (instance.nics[0] if instance else None)
        had = interface.public_ip if interface else None
        before = elastic_address_of(interface) if interface else None
        previous = {address: address.eni for address in self.addresses}
        address = associate(self, instance=instance, eni=eni, **named)
        loser = previous[address]
        if loser is not None and loser is not address.eni:
            loser.public_ip = None
            loser.check_auto_public_ip()
        if before is not None and before is not address:
            before.eni = before.instance = before.association_id = None
        elif had is not None and had != address.public_ip:
            interface.__dict__.setdefault("former", []).append(had)
        return address

    def start_with_elastic_address(self):
        if elastic_address_of(self) is None:
            start_interface(self)

    def stop_but_keep_elastic_address(self):
        """An elastic IP address stays with an instance that stops."""
        free_former(self)
        if elastic_address_of(self) is None:
            stop_interface(self)

    def terminate_and_free_addresses(self):
        """They are free again when the instance is terminated, which may be asked for twice."""
        if self.state == "terminated":
            return copy.copy(self._state)
        for interface in list(self.nics.values()):
            address = elastic_address_of(interface)
            if address is not None:
                interface.public_ip = None
                address.eni = address.instance = address.association_id = None
        return terminate(self)

    Addresses.associate_address = associate_once
    Interface.start = start_with_elastic_address
    Interface.stop = stop_but_keep_elastic_address
    Instance.terminate = terminate_and_free_addresses
