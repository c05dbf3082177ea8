// Original file: provider/api/proto/machine/machine.proto

import type { ContainerdNamespace as _common_ContainerdNamespace, ContainerdNamespace__Output as _common_ContainerdNamespace__Output } from '../common/ContainerdNamespace';

export interface ImageListRequest {
  'namespace'?: (_common_ContainerdNamespace);
}

export interface ImageListRequest__Output {
  'namespace': (_common_ContainerdNamespace__Output);
}
