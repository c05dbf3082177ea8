// Original file: provider/api/proto/machine/machine.proto

import type { Rollback as _machine_Rollback, Rollback__Output as _machine_Rollback__Output } from '../machine/Rollback';

export interface RollbackResponse {
  'messages'?: (_machine_Rollback)[];
}

export interface RollbackResponse__Output {
  'messages': (_machine_Rollback__Output)[];
}
