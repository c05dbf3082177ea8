// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface EtcdMember {
  'id'?: (number | string | Long);
  'hostname'?: (string);
  'peerUrls'?: (string)[];
  'clientUrls'?: (string)[];
  'isLearner'?: (boolean);
}

export interface EtcdMember__Output {
  'id': (string);
  'hostname': (string);
  'peerUrls': (string)[];
  'clientUrls': (string)[];
  'isLearner': (boolean);
}
