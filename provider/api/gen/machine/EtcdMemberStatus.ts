// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface EtcdMemberStatus {
  'protocolVersion'?: (string);
  'dbSize'?: (number | string | Long);
  'dbSizeInUse'?: (number | string | Long);
  'leader'?: (number | string | Long);
  'raftIndex'?: (number | string | Long);
  'raftTerm'?: (number | string | Long);
  'raftAppliedIndex'?: (number | string | Long);
  'errors'?: (string)[];
  'isLearner'?: (boolean);
  'memberId'?: (number | string | Long);
  'storageVersion'?: (string);
}

export interface EtcdMemberStatus__Output {
  'protocolVersion': (string);
  'dbSize': (string);
  'dbSizeInUse': (string);
  'leader': (string);
  'raftIndex': (string);
  'raftTerm': (string);
  'raftAppliedIndex': (string);
  'errors': (string)[];
  'isLearner': (boolean);
  'memberId': (string);
  'storageVersion': (string);
}
