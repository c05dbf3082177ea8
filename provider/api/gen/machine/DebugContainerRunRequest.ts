// Original file: provider/api/proto/machine/debug.proto

import type { DebugContainerRunRequestSpec as _machine_DebugContainerRunRequestSpec, DebugContainerRunRequestSpec__Output as _machine_DebugContainerRunRequestSpec__Output } from '../machine/DebugContainerRunRequestSpec';
import type { DebugContainerTerminalResize as _machine_DebugContainerTerminalResize, DebugContainerTerminalResize__Output as _machine_DebugContainerTerminalResize__Output } from '../machine/DebugContainerTerminalResize';

export interface DebugContainerRunRequest {
  'spec'?: (_machine_DebugContainerRunRequestSpec | null);
  'stdinData'?: (Buffer | Uint8Array | string);
  'signal'?: (number);
  'termResize'?: (_machine_DebugContainerTerminalResize | null);
  'request'?: "spec"|"stdinData"|"signal"|"termResize";
}

export interface DebugContainerRunRequest__Output {
  'spec'?: (_machine_DebugContainerRunRequestSpec__Output | null);
  'stdinData'?: (Buffer);
  'signal'?: (number);
  'termResize'?: (_machine_DebugContainerTerminalResize__Output | null);
  'request'?: "spec"|"stdinData"|"signal"|"termResize";
}
