// Original file: provider/api/proto/storage/storage.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';

export interface BlockDeviceWipe {
  'metadata'?: (_common_Metadata | null);
}

export interface BlockDeviceWipe__Output {
  'metadata': (_common_Metadata__Output | null);
}
