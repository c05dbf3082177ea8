// Original file: provider/api/proto/machine/machine.proto

import type { CPUsFreqStats as _machine_CPUsFreqStats, CPUsFreqStats__Output as _machine_CPUsFreqStats__Output } from '../machine/CPUsFreqStats';

export interface CPUFreqStatsResponse {
  'messages'?: (_machine_CPUsFreqStats)[];
}

export interface CPUFreqStatsResponse__Output {
  'messages': (_machine_CPUsFreqStats__Output)[];
}
