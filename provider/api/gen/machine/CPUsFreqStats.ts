// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { CPUFreqStats as _machine_CPUFreqStats, CPUFreqStats__Output as _machine_CPUFreqStats__Output } from '../machine/CPUFreqStats';

export interface CPUsFreqStats {
  'metadata'?: (_common_Metadata | null);
  'cpuFreqStats'?: (_machine_CPUFreqStats)[];
}

export interface CPUsFreqStats__Output {
  'metadata': (_common_Metadata__Output | null);
  'cpuFreqStats': (_machine_CPUFreqStats__Output)[];
}
