// Original file: provider/api/proto/machine/machine.proto


export interface ShutdownRequest {
  'force'?: (boolean);
}

export interface ShutdownRequest__Output {
  'force': (boolean);
}
