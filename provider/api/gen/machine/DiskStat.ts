// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface DiskStat {
  'name'?: (string);
  'readCompleted'?: (number | string | Long);
  'readMerged'?: (number | string | Long);
  'readSectors'?: (number | string | Long);
  'readTimeMs'?: (number | string | Long);
  'writeCompleted'?: (number | string | Long);
  'writeMerged'?: (number | string | Long);
  'writeSectors'?: (number | string | Long);
  'writeTimeMs'?: (number | string | Long);
  'ioInProgress'?: (number | string | Long);
  'ioTimeMs'?: (number | string | Long);
  'ioTimeWeightedMs'?: (number | string | Long);
  'discardCompleted'?: (number | string | Long);
  'discardMerged'?: (number | string | Long);
  'discardSectors'?: (number | string | Long);
  'discardTimeMs'?: (number | string | Long);
}

export interface DiskStat__Output {
  'name': (string);
  'readCompleted': (string);
  'readMerged': (string);
  'readSectors': (string);
  'readTimeMs': (string);
  'writeCompleted': (string);
  'writeMerged': (string);
  'writeSectors': (string);
  'writeTimeMs': (string);
  'ioInProgress': (string);
  'ioTimeMs': (string);
  'ioTimeWeightedMs': (string);
  'discardCompleted': (string);
  'discardMerged': (string);
  'discardSectors': (string);
  'discardTimeMs': (string);
}
