// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { _machine_ApplyConfigurationRequest_Mode, _machine_ApplyConfigurationRequest_Mode__Output } from '../machine/ApplyConfigurationRequest';

export interface ApplyConfiguration {
  'metadata'?: (_common_Metadata | null);
  'warnings'?: (string)[];
  'mode'?: (_machine_ApplyConfigurationRequest_Mode);
  'modeDetails'?: (string);
}

export interface ApplyConfiguration__Output {
  'metadata': (_common_Metadata__Output | null);
  'warnings': (string)[];
  'mode': (_machine_ApplyConfigurationRequest_Mode__Output);
  'modeDetails': (string);
}
