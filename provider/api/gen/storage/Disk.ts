// Original file: provider/api/proto/storage/storage.proto

import type { Long } from '@grpc/proto-loader';

// Original file: provider/api/proto/storage/storage.proto

export const _storage_Disk_DiskType = {
  UNKNOWN: 'UNKNOWN',
  SSD: 'SSD',
  HDD: 'HDD',
  NVME: 'NVME',
  SD: 'SD',
  CD: 'CD',
} as const;

export type _storage_Disk_DiskType =
  | 'UNKNOWN'
  | 0
  | 'SSD'
  | 1
  | 'HDD'
  | 2
  | 'NVME'
  | 3
  | 'SD'
  | 4
  | 'CD'
  | 5

export type _storage_Disk_DiskType__Output = typeof _storage_Disk_DiskType[keyof typeof _storage_Disk_DiskType]

export interface Disk {
  'size'?: (number | string | Long);
  'model'?: (string);
  'deviceName'?: (string);
  'name'?: (string);
  'serial'?: (string);
  'modalias'?: (string);
  'uuid'?: (string);
  'wwid'?: (string);
  'type'?: (_storage_Disk_DiskType);
  'busPath'?: (string);
  'systemDisk'?: (boolean);
  'subsystem'?: (string);
  'readonly'?: (boolean);
}

export interface Disk__Output {
  'size': (string);
  'model': (string);
  'deviceName': (string);
  'name': (string);
  'serial': (string);
  'modalias': (string);
  'uuid': (string);
  'wwid': (string);
  'type': (_storage_Disk_DiskType__Output);
  'busPath': (string);
  'systemDisk': (boolean);
  'subsystem': (string);
  'readonly': (boolean);
}
