// Original file: provider/api/proto/storage/storage.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { Disk as _storage_Disk, Disk__Output as _storage_Disk__Output } from '../storage/Disk';

export interface Disks {
  'metadata'?: (_common_Metadata | null);
  'disks'?: (_storage_Disk)[];
}

export interface Disks__Output {
  'metadata': (_common_Metadata__Output | null);
  'disks': (_storage_Disk__Output)[];
}
