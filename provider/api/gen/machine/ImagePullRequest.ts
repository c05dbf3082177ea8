// Original file: provider/api/proto/machine/machine.proto

import type { ContainerdNamespace as _common_ContainerdNamespace, ContainerdNamespace__Output as _common_ContainerdNamespace__Output } from '../common/ContainerdNamespace';

export interface ImagePullRequest {
  'namespace'?: (_common_ContainerdNamespace);
  'reference'?: (string);
}

export interface ImagePullRequest__Output {
  'namespace': (_common_ContainerdNamespace__Output);
  'reference': (string);
}
