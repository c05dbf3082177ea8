// Original file: provider/api/proto/machine/image.proto

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from '../common/ContainerdInstance';

export interface ImageServicePullRequest {
  'containerd'?: (_common_ContainerdInstance | null);
  'imageRef'?: (string);
}

export interface ImageServicePullRequest__Output {
  'containerd': (_common_ContainerdInstance__Output | null);
  'imageRef': (string);
}
