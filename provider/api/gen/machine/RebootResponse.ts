// Original file: provider/api/proto/machine/machine.proto

import type { Reboot as _machine_Reboot, Reboot__Output as _machine_Reboot__Output } from '../machine/Reboot';

export interface RebootResponse {
  'messages'?: (_machine_Reboot)[];
}

export interface RebootResponse__Output {
  'messages': (_machine_Reboot__Output)[];
}
