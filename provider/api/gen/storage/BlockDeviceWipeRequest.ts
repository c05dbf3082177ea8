// Original file: provider/api/proto/storage/storage.proto

import type { BlockDeviceWipeDescriptor as _storage_BlockDeviceWipeDescriptor, BlockDeviceWipeDescriptor__Output as _storage_BlockDeviceWipeDescriptor__Output } from '../storage/BlockDeviceWipeDescriptor';

export interface BlockDeviceWipeRequest {
  'devices'?: (_storage_BlockDeviceWipeDescriptor)[];
}

export interface BlockDeviceWipeRequest__Output {
  'devices': (_storage_BlockDeviceWipeDescriptor__Output)[];
}
