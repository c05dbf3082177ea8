// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { CPUInfo as _machine_CPUInfo, CPUInfo__Output as _machine_CPUInfo__Output } from '../machine/CPUInfo';

export interface CPUsInfo {
  'metadata'?: (_common_Metadata | null);
  'cpuInfo'?: (_machine_CPUInfo)[];
}

export interface CPUsInfo__Output {
  'metadata': (_common_Metadata__Output | null);
  'cpuInfo': (_machine_CPUInfo__Output)[];
}
