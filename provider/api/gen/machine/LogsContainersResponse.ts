// Original file: provider/api/proto/machine/machine.proto

import type { LogsContainer as _machine_LogsContainer, LogsContainer__Output as _machine_LogsContainer__Output } from '../machine/LogsContainer';

export interface LogsContainersResponse {
  'messages'?: (_machine_LogsContainer)[];
}

export interface LogsContainersResponse__Output {
  'messages': (_machine_LogsContainer__Output)[];
}
