// Original file: provider/api/proto/machine/machine.proto

import type { ContainerDriver as _common_ContainerDriver, ContainerDriver__Output as _common_ContainerDriver__Output } from '../common/ContainerDriver';

export interface LogsRequest {
  'namespace'?: (string);
  'id'?: (string);
  'driver'?: (_common_ContainerDriver);
  'follow'?: (boolean);
  'tailLines'?: (number);
}

export interface LogsRequest__Output {
  'namespace': (string);
  'id': (string);
  'driver': (_common_ContainerDriver__Output);
  'follow': (boolean);
  'tailLines': (number);
}
