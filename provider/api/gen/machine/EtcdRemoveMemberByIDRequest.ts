// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface EtcdRemoveMemberByIDRequest {
  'memberId'?: (number | string | Long);
}

export interface EtcdRemoveMemberByIDRequest__Output {
  'memberId': (string);
}
