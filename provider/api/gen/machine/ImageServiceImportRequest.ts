// Original file: provider/api/proto/machine/image.proto

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from '../common/ContainerdInstance';
import type { Data as _common_Data, Data__Output as _common_Data__Output } from '../common/Data';

export interface ImageServiceImportRequest {
  'containerd'?: (_common_ContainerdInstance | null);
  'imageChunk'?: (_common_Data | null);
  'request'?: "containerd"|"imageChunk";
}

export interface ImageServiceImportRequest__Output {
  'containerd'?: (_common_ContainerdInstance__Output | null);
  'imageChunk'?: (_common_Data__Output | null);
  'request'?: "containerd"|"imageChunk";
}
