// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface MountStat {
  'filesystem'?: (string);
  'size'?: (number | string | Long);
  'available'?: (number | string | Long);
  'mountedOn'?: (string);
}

export interface MountStat__Output {
  'filesystem': (string);
  'size': (string);
  'available': (string);
  'mountedOn': (string);
}
