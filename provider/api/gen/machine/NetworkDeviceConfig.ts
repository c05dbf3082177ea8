// Original file: provider/api/proto/machine/machine.proto

import type { DHCPOptionsConfig as _machine_DHCPOptionsConfig, DHCPOptionsConfig__Output as _machine_DHCPOptionsConfig__Output } from '../machine/DHCPOptionsConfig';
import type { RouteConfig as _machine_RouteConfig, RouteConfig__Output as _machine_RouteConfig__Output } from '../machine/RouteConfig';

export interface NetworkDeviceConfig {
  'interface'?: (string);
  'cidr'?: (string);
  'mtu'?: (number);
  'dhcp'?: (boolean);
  'ignore'?: (boolean);
  'dhcpOptions'?: (_machine_DHCPOptionsConfig | null);
  'routes'?: (_machine_RouteConfig)[];
}

export interface NetworkDeviceConfig__Output {
  'interface': (string);
  'cidr': (string);
  'mtu': (number);
  'dhcp': (boolean);
  'ignore': (boolean);
  'dhcpOptions': (_machine_DHCPOptionsConfig__Output | null);
  'routes': (_machine_RouteConfig__Output)[];
}
