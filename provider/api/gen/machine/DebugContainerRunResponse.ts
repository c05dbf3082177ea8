// Original file: provider/api/proto/machine/debug.proto


export interface DebugContainerRunResponse {
  'stdoutData'?: (Buffer | Uint8Array | string);
  'exitCode'?: (number);
  'resp'?: "stdoutData"|"exitCode";
}

export interface DebugContainerRunResponse__Output {
  'stdoutData'?: (Buffer);
  'exitCode'?: (number);
  'resp'?: "stdoutData"|"exitCode";
}
