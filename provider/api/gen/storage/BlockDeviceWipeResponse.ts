// Original file: provider/api/proto/storage/storage.proto

import type { BlockDeviceWipe as _storage_BlockDeviceWipe, BlockDeviceWipe__Output as _storage_BlockDeviceWipe__Output } from '../storage/BlockDeviceWipe';

export interface BlockDeviceWipeResponse {
  'messages'?: (_storage_BlockDeviceWipe)[];
}

export interface BlockDeviceWipeResponse__Output {
  'messages': (_storage_BlockDeviceWipe__Output)[];
}
