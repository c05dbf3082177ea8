// Original file: provider/api/proto/machine/machine.proto

import type { EtcdAlarm as _machine_EtcdAlarm, EtcdAlarm__Output as _machine_EtcdAlarm__Output } from '../machine/EtcdAlarm';

export interface EtcdAlarmListResponse {
  'messages'?: (_machine_EtcdAlarm)[];
}

export interface EtcdAlarmListResponse__Output {
  'messages': (_machine_EtcdAlarm__Output)[];
}
