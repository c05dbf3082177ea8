// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { CPUStat as _machine_CPUStat, CPUStat__Output as _machine_CPUStat__Output } from '../machine/CPUStat';
import type { SoftIRQStat as _machine_SoftIRQStat, SoftIRQStat__Output as _machine_SoftIRQStat__Output } from '../machine/SoftIRQStat';
import type { Long } from '@grpc/proto-loader';

export interface SystemStat {
  'metadata'?: (_common_Metadata | null);
  'bootTime'?: (number | string | Long);
  'cpuTotal'?: (_machine_CPUStat | null);
  'cpu'?: (_machine_CPUStat)[];
  'irqTotal'?: (number | string | Long);
  'irq'?: (number | string | Long)[];
  'contextSwitches'?: (number | string | Long);
  'processCreated'?: (number | string | Long);
  'processRunning'?: (number | string | Long);
  'processBlocked'?: (number | string | Long);
  'softIrqTotal'?: (number | string | Long);
  'softIrq'?: (_machine_SoftIRQStat | null);
}

export interface SystemStat__Output {
  'metadata': (_common_Metadata__Output | null);
  'bootTime': (string);
  'cpuTotal': (_machine_CPUStat__Output | null);
  'cpu': (_machine_CPUStat__Output)[];
  'irqTotal': (string);
  'irq': (string)[];
  'contextSwitches': (string);
  'processCreated': (string);
  'processRunning': (string);
  'processBlocked': (string);
  'softIrqTotal': (string);
  'softIrq': (_machine_SoftIRQStat__Output | null);
}
