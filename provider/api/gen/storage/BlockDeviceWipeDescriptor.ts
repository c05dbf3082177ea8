// Original file: provider/api/proto/storage/storage.proto


// Original file: provider/api/proto/storage/storage.proto

export const _storage_BlockDeviceWipeDescriptor_Method = {
  FAST: 'FAST',
  ZEROES: 'ZEROES',
} as const;

export type _storage_BlockDeviceWipeDescriptor_Method =
  | 'FAST'
  | 0
  | 'ZEROES'
  | 1

export type _storage_BlockDeviceWipeDescriptor_Method__Output = typeof _storage_BlockDeviceWipeDescriptor_Method[keyof typeof _storage_BlockDeviceWipeDescriptor_Method]

export interface BlockDeviceWipeDescriptor {
  'device'?: (string);
  'method'?: (_storage_BlockDeviceWipeDescriptor_Method);
  'skipVolumeCheck'?: (boolean);
  'dropPartition'?: (boolean);
  'skipSecondaryCheck'?: (boolean);
}

export interface BlockDeviceWipeDescriptor__Output {
  'device': (string);
  'method': (_storage_BlockDeviceWipeDescriptor_Method__Output);
  'skipVolumeCheck': (boolean);
  'dropPartition': (boolean);
  'skipSecondaryCheck': (boolean);
}
