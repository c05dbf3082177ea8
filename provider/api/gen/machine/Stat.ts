// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface Stat {
  'namespace'?: (string);
  'id'?: (string);
  'memoryUsage'?: (number | string | Long);
  'cpuUsage'?: (number | string | Long);
  'podId'?: (string);
  'name'?: (string);
}

export interface Stat__Output {
  'namespace': (string);
  'id': (string);
  'memoryUsage': (string);
  'cpuUsage': (string);
  'podId': (string);
  'name': (string);
}
