// Original file: provider/api/proto/storage/storage.proto

import type { Disks as _storage_Disks, Disks__Output as _storage_Disks__Output } from '../storage/Disks';

export interface DisksResponse {
  'messages'?: (_storage_Disks)[];
}

export interface DisksResponse__Output {
  'messages': (_storage_Disks__Output)[];
}
