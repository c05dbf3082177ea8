// Original file: provider/api/proto/machine/machine.proto

import type { GenerateConfiguration as _machine_GenerateConfiguration, GenerateConfiguration__Output as _machine_GenerateConfiguration__Output } from '../machine/GenerateConfiguration';

export interface GenerateConfigurationResponse {
  'messages'?: (_machine_GenerateConfiguration)[];
}

export interface GenerateConfigurationResponse__Output {
  'messages': (_machine_GenerateConfiguration__Output)[];
}
