// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface CPUFreqStats {
  'currentFrequency'?: (number | string | Long);
  'minimumFrequency'?: (number | string | Long);
  'maximumFrequency'?: (number | string | Long);
  'governor'?: (string);
}

export interface CPUFreqStats__Output {
  'currentFrequency': (string);
  'minimumFrequency': (string);
  'maximumFrequency': (string);
  'governor': (string);
}
