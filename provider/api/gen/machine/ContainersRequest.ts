// Original file: provider/api/proto/machine/machine.proto

import type { ContainerDriver as _common_ContainerDriver, ContainerDriver__Output as _common_ContainerDriver__Output } from '../common/ContainerDriver';

export interface ContainersRequest {
  'namespace'?: (string);
  'driver'?: (_common_ContainerDriver);
}

export interface ContainersRequest__Output {
  'namespace': (string);
  'driver': (_common_ContainerDriver__Output);
}
