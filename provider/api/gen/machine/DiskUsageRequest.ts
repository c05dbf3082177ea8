// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface DiskUsageRequest {
  'recursionDepth'?: (number);
  'all'?: (boolean);
  'threshold'?: (number | string | Long);
  'paths'?: (string)[];
}

export interface DiskUsageRequest__Output {
  'recursionDepth': (number);
  'all': (boolean);
  'threshold': (string);
  'paths': (string)[];
}
